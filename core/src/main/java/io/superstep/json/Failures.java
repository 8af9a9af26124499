package io.superstep.json;

import io.superstep.error.Problem;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.state.Channel;
import io.superstep.state.InvalidUpdateException;
import io.superstep.value.InvalidValueException;
import io.superstep.value.NumberBounds;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;

/**
 * What Jackson reports, told in our words. Its own go no further: they quote values, which may be
 * private. The first step of its path is the channel.
 */
final class Failures {

  private static final String DEEP =
      "is nested more than " + JsonMapping.MAX_DEPTH + " levels deep, or more than the stack holds";
  private static final String LONG_NUMBER =
      "has a number of more than " + NumberBounds.MAX_DIGITS + " digits";
  private static final String FLATTEN = "Flatten it, or refer to its parts by keys.";
  private static final String MIGRATE =
      "Read it with the schema that wrote it, or give the channel another name and migrate.";
  private static final String DOCUMENT = "the document";
  private static final String LOAD =
      "Correct the type or the module, and see that all classes it needs can be loaded.";
  private static final int LONGEST_PATH = 200;

  private Failures() {}

  /** A channel is of a type that Jackson cannot map; here its words are about classes only. */
  static InvalidJsonException mapping(Channel<?> channel, Throwable failure) {
    String why = failure instanceof Unwritable unwritable
        ? unwritable.type() + " " + unwritable.getOriginalMessage()
        : described(failure);
    Problem problem = new Problem(
        "SG-306",
        "The type " + channel.type() + " cannot be stored: " + why + ".",
        "channel '" + channel.name() + "'",
        "Use records and sealed types, add a Jackson module that knows the type, or declare the"
            + " channel runtimeOnly() if its value need not be stored.");
    return new InvalidJsonException(problem, channel.name(), "", failure);
  }

  private static String described(Throwable failure) {
    return failure instanceof JacksonException jackson
        ? jackson.getOriginalMessage()
        : failure.getClass().getSimpleName();
  }

  static InvalidJsonException writing(JacksonException failure) {
    Place place = Place.of(failure);
    String fix = "Make it a record, or add a Jackson module that knows the type.";
    if (failure instanceof Unwritable unwritable) {
      fix = unwritable.fix();
    } else if (failure instanceof StreamConstraintsException) {
      fix = FLATTEN;
    }
    return new InvalidJsonException(
        new Problem("SG-301", unwritten(failure), place.toString(), fix),
        place.channel,
        place.path,
        causeOfUser(failure));
  }

  private static String unwritten(JacksonException failure) {
    String reason = "";
    if (failure instanceof Unwritable) {
      reason = ": it " + failure.getOriginalMessage();
    } else if (failure instanceof StreamConstraintsException) {
      reason = ": it " + DEEP;
    }
    return "A value of type " + type(failure) + " cannot be written" + reason + ".";
  }

  static InvalidJsonException writing(StackOverflowError deep) {
    return new InvalidJsonException(
        new Problem("SG-301", "A value cannot be written: it " + DEEP + ".", "the state", FLATTEN),
        null,
        "",
        null);
  }

  /** The content of {@code chunk} has no JSON form. */
  static InvalidJsonException chunk(TaskChunk chunk, JacksonException failure) {
    return chunk(chunk, unwritten(failure), inside(failure.getPath()), causeOfUser(failure));
  }

  static InvalidJsonException chunk(TaskChunk chunk, StackOverflowError deep) {
    return chunk(chunk, "A value cannot be written: it " + DEEP + ".", "", null);
  }

  private static InvalidJsonException chunk(
      TaskChunk chunk, String what, String path, @Nullable Throwable cause) {
    String place = "chunk " + chunk.index() + " of task " + chunk.task().id();
    Problem problem = new Problem(
        "SG-307",
        what,
        path.isEmpty() ? place : place + ", at " + path,
        "Emit text, or lists and maps of plain values.");
    return new InvalidJsonException(problem, null, path, cause);
  }

  /** An event happened in a nested graph that {@code graph} does not have. */
  static InvalidJsonException elsewhere(String graph, String path) {
    Problem problem = new Problem(
        "SG-308",
        "The event is not one of graph '" + graph + "': no nested graph is there.",
        "path '" + path + "'",
        "Write events with the graph whose run told them.");
    return new InvalidJsonException(problem, null, "", null);
  }

  static InvalidJsonException reading(JacksonException failure) {
    Place place = Place.of(failure);
    return new InvalidJsonException(
        new Problem(
            "SG-302",
            "The stored text cannot be read" + reason(failure) + ".",
            place + position(failure.getLocation()),
            MIGRATE),
        place.channel,
        place.path,
        failure instanceof ValueInstantiationException ? causeOfUser(failure) : null);
  }

  /** What was read does not fit together. */
  static InvalidJsonException reading(InvalidUpdateException misfit) {
    Problem problem = misfit.problems().get(0);
    return new InvalidJsonException(
        new Problem("SG-302", problem.what(), problem.where(), MIGRATE), null, "", misfit);
  }

  /** The log of a thread has a beginning that nothing leads to. */
  static InvalidJsonException baseless(String thread) {
    Problem problem = new Problem(
        "SG-309",
        "The log does not begin with a whole state, or with nothing at all.",
        "thread '" + thread + "'",
        "Read it from a base or a snapshot on, without leaving out a checkpoint.");
    return new InvalidJsonException(problem, null, "", null);
  }

  /** An event builds on one that was not read. */
  static InvalidJsonException groundless(long event, long on) {
    Problem problem = new Problem(
        "SG-310",
        "The event builds on the state that fact " + on + " has told, and that is not known.",
        "event " + event,
        "Read from a key frame on, without leaving out an event.");
    return new InvalidJsonException(problem, null, "", null);
  }

  /**
   * A part of the stored text is invalid. The cause is left out, as it may quote the text; its type
   * is named.
   */
  static InvalidJsonException reading(RuntimeException invalid) {
    return new InvalidJsonException(
        new Problem(
            "SG-302",
            "The stored text cannot be read: a part of it is invalid ("
                + invalid.getClass().getSimpleName() + ").",
            "the document",
            MIGRATE),
        null,
        "",
        null);
  }

  /** A type or a module of the user failed with an error while it was read. */
  static InvalidJsonException reading(Error failure) {
    return new InvalidJsonException(
        new Problem("SG-302", "The stored text cannot be read: " + raised(failure), DOCUMENT, LOAD),
        null,
        "",
        failure);
  }

  /** A type or a module of the user failed with an error while it was written. */
  static InvalidJsonException writing(Error failure) {
    return new InvalidJsonException(
        new Problem("SG-301", "A value cannot be written: " + raised(failure), "the state", LOAD),
        null,
        "",
        failure);
  }

  private static String raised(Error failure) {
    return "a type or a Jackson module raised " + failure.getClass().getSimpleName()
        + "; the cause says why.";
  }

  static InvalidJsonException reading(StackOverflowError deep) {
    return new InvalidJsonException(
        new Problem(
            "SG-302", "The stored text cannot be read: it " + DEEP + ".", "the document", FLATTEN),
        null,
        "",
        null);
  }

  /** What was read of a channel does not fit it. */
  static InvalidJsonException reading(String channel, InvalidValueException misfit) {
    Problem problem = misfit.problem();
    String path = problem.where().startsWith("the value at ")
        ? problem.where().substring("the value at ".length())
        : "";
    Place place = new Place(channel, path);
    return new InvalidJsonException(
        new Problem("SG-302", problem.what(), place.toString(), MIGRATE), channel, path, misfit);
  }

  private static String reason(JacksonException failure) {
    if (failure instanceof StreamConstraintsException) {
      return ": it " + (isDeep(failure) ? DEEP : LONG_NUMBER);
    }
    if (failure instanceof StreamReadException) {
      return ": it is not JSON";
    }
    if (failure instanceof ValueInstantiationException refusal) {
      return ": " + refusal.getType().getRawClass().getSimpleName() + " refused it";
    }
    Class<?> target =
        failure instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
    return target == null ? "" : " as " + target.getSimpleName();
  }

  /** Of the constraints that this package sets, one is about depth and the other about numbers. */
  private static boolean isDeep(JacksonException failure) {
    return failure.getOriginalMessage().contains("depth");
  }

  private static String position(@Nullable TokenStreamLocation location) {
    return location == null
        ? ""
        : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
  }

  private static String type(JacksonException failure) {
    if (failure instanceof Unwritable unwritable) {
      return unwritable.type();
    }
    if (failure instanceof InvalidDefinitionException definition && definition.getType() != null) {
      return definition.getType().getRawClass().getTypeName();
    }
    List<JacksonException.Reference> steps = failure.getPath();
    Object from = steps.isEmpty() ? null : steps.get(steps.size() - 1).from();
    return from == null ? "unknown" : from.getClass().getTypeName();
  }

  private static @Nullable Throwable causeOfUser(JacksonException failure) {
    Throwable cause = failure.getCause();
    while (cause instanceof JacksonException) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static String inside(List<JacksonException.Reference> steps) {
    StringBuilder path = new StringBuilder();
    for (JacksonException.Reference step : steps) {
      String name = step.getPropertyName();
      path.append(name == null ? "[" + step.getIndex() + "]" : "." + name);
    }
    return path.length() > LONGEST_PATH ? path.substring(0, LONGEST_PATH) + "…" : path.toString();
  }

  /** Where in which channel something went wrong. */
  private record Place(@Nullable String channel, String path) {

    static Place of(JacksonException failure) {
      List<JacksonException.Reference> steps = failure.getPath();
      if (steps.isEmpty()) {
        return new Place(null, "");
      }
      return steps.get(0).from() instanceof Channel<?> channel
          ? new Place(channel.name(), inside(steps.subList(1, steps.size())))
          : new Place(null, inside(steps));
    }

    @Override
    public String toString() {
      if (channel != null) {
        return "channel '" + channel + "'" + path;
      }
      return path.isEmpty() ? "the document" : "the document, at " + path;
    }
  }
}
