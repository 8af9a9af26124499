package io.superstep.build.architecture.broken.state;

import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

final class RollsDice {
  UUID id() {
    return UUID.randomUUID();
  }

  Supplier<UUID> idByReference() {
    return UUID::randomUUID;
  }

  double math() {
    return Math.random();
  }

  double strictMath() {
    return StrictMath.random();
  }

  int random() {
    return new Random(1).nextInt();
  }

  Supplier<SplittableRandom> splittable() {
    return SplittableRandom::new;
  }

  int secure(SecureRandom random) {
    return random.nextInt();
  }

  int generator(RandomGenerator random) {
    return random.nextInt();
  }

  String factory(RandomGeneratorFactory<?> factory) {
    return factory.name();
  }

  void shuffle(List<String> list) {
    Collections.shuffle(list);
  }

  Consumer<List<String>> shuffleByReference() {
    return Collections::shuffle;
  }
}
