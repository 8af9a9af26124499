package io.superstep.message;

import io.superstep.error.MessageText;

/** The text form of messages in logs: their ids and sizes, without contents. */
final class Hidden {

  private Hidden() {}

  static String text(String kind, Message message) {
    String id = message.id();
    return kind + "[" + (id == null ? "" : MessageText.name(id) + ", ")
        + message.content().length() + " characters]";
  }
}
