package io.github.reconciler4j.webhook.internal;

/** Cuts texts of the operator's code. The API server copies them into responses, events and logs, whatever their length. */
final class Texts {

    /** The length of a message. */
    static final int MESSAGE = 4096;

    /** The length of a message about one field. */
    static final int DETAIL = 1024;

    /** The length of a path or a name. */
    static final int PATH = 512;

    private static final String ELLIPSIS = "...";

    private Texts() {}

    /** Return a text with at most {@code max} characters. */
    static String cut(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = max - ELLIPSIS.length();
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + ELLIPSIS;
    }

    /** Return the message of a failure, cut, or its class if it has none or fails to return it. */
    static String message(Throwable failure) {
        try {
            String message = failure.getMessage();
            return message == null || message.isBlank() ? failure.getClass().getName() : cut(message, MESSAGE);
        } catch (RuntimeException | StackOverflowError e) {
            return failure.getClass().getName();
        }
    }
}
