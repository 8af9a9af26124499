package io.superstep.build.architecture.broken.state;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

final class RacesItself {
  Stream<String> stream(Stream<String> stream) {
    return stream.parallel();
  }

  IntStream ofInts(IntStream stream) {
    return stream.parallel();
  }

  Stream<String> collection(List<String> list) {
    return list.parallelStream();
  }

  Function<Collection<String>, Stream<String>> collectionByReference() {
    return Collection::parallelStream;
  }

  void array(int[] array) {
    Arrays.parallelSort(array);
  }
}
