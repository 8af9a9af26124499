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
 * The translation of Jackson's errors. Their messages are not used, because they quote values,
 * which may be private. The first step of their path is the channel.
 */
final class Failures {

  private static final String DEEP =
      "is nested more than " + JsonMapping.MAX_DEPTH + " levels deep, or more than the stack holds";
  private static final String LONG_NUMBER =
      "has a number of more than " + NumberBounds.MAX_DIGITS + " digits";
  private static final String FLATTEN = "Flatten the value, or refer to its parts by keys.";
  private static final String MIGRATE =
      "Read the document with the schema that wrote it, declare a changed type as another channel,"
          + " or restore a damaged document from a backup.";
  private static final String DOCUMENT = "the document";
  private static final String LOAD =
      "Correct the type or the module, and make sure that all its classes can be loaded.";
  private static final int LONGEST_PATH = 200;

  private Failures() {}

  /** Returns the error of a type that Jackson cannot map; its message names classes only. */
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
    String fix = "Use a record, or add a Jackson module for the type.";
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

  /** Returns the error of a chunk whose content has no JSON form. */
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

  /** Returns the error of an event of a subgraph that {@code graph} does not have. */
  static InvalidJsonException elsewhere(String graph, String path) {
    Problem problem = new Problem(
        "SG-308",
        "Graph '" + graph + "' has no subgraph at the path of the event.",
        "path '" + path + "'",
        "Write the event with EventJson.of(graph) of the graph whose run emitted it.");
    return new InvalidJsonException(problem, null, "", null);
  }

  static InvalidJsonException reading(JacksonException failure) {
    Place place = Place.of(failure);
    return new InvalidJsonException(
        new Problem(
            "SG-302",
            "The stored document is invalid" + reason(failure) + ".",
            place + position(failure.getLocation()),
            MIGRATE),
        place.channel,
        place.path,
        failure instanceof ValueInstantiationException ? causeOfUser(failure) : null);
  }

  /** Returns the error of a document whose parts contradict each other. */
  static InvalidJsonException reading(InvalidUpdateException misfit) {
    Problem problem = misfit.problems().get(0);
    return new InvalidJsonException(
        new Problem("SG-302", problem.what(), problem.where(), MIGRATE), null, "", misfit);
  }

  /** Returns the error of a log whose first entry is neither a base nor a snapshot. */
  static InvalidJsonException baseless(String thread) {
    Problem problem = new Problem(
        "SG-309",
        "The log of the thread does not begin with a base or a snapshot.",
        "thread '" + thread + "'",
        "Read the log from a base or a snapshot, without leaving out a checkpoint.");
    return new InvalidJsonException(problem, null, "", null);
  }

  /** Returns the error of an event that is encoded against an event that was not read. */
  static InvalidJsonException groundless(long event, long on) {
    Problem problem = new Problem(
        "SG-310",
        "Event " + event + " is encoded as a change to the state of event " + on
            + ", which was not read.",
        "event " + event,
        "Read from a key frame, without leaving out an event.");
    return new InvalidJsonException(problem, null, "", null);
  }

  /**
   * Returns the error of a document with an invalid part. It has no cause, which may quote the
   * document, but names its type.
   */
  static InvalidJsonException reading(RuntimeException invalid) {
    return new InvalidJsonException(
        new Problem(
            "SG-302",
            "The stored document is invalid: reading it failed with "
                + invalid.getClass().getSimpleName() + ".",
            "the document",
            MIGRATE),
        null,
        "",
        null);
  }

  /** Returns the error of a type or a module of the user that failed in decoding. */
  static InvalidJsonException reading(Error failure) {
    return new InvalidJsonException(
        new Problem(
            "SG-302", "The stored document cannot be read: " + raised(failure), DOCUMENT, LOAD),
        null,
        "",
        failure);
  }

  /** Returns the error of a type or a module of the user that failed in encoding. */
  static InvalidJsonException writing(Error failure) {
    return new InvalidJsonException(
        new Problem("SG-301", "A value cannot be written: " + raised(failure), "the state", LOAD),
        null,
        "",
        failure);
  }

  private static String raised(Error failure) {
    return "a type or a Jackson module raised " + failure.getClass().getSimpleName()
        + "; see the cause.";
  }

  static InvalidJsonException reading(StackOverflowError deep) {
    return new InvalidJsonException(
        new Problem(
            "SG-302", "The stored document is invalid: it " + DEEP + ".", "the document", MIGRATE),
        null,
        "",
        null);
  }

  /** Returns the error of a stored value that does not fit its channel. */
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
      return ": the constructor of " + refusal.getType().getRawClass().getSimpleName()
          + " refused a value";
    }
    Class<?> target =
        failure instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
    if (target == Document.class) {
      return ": expected " + failure.getOriginalMessage();
    }
    return target == null ? "" : ": expected a value of type " + target.getSimpleName();
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

  /** The place of an error: a channel and a path inside its value. */
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
