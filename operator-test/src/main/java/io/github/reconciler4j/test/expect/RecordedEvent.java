package io.github.reconciler4j.test.expect;

/**
 * An event about an object, written through either of the two event APIs.
 *
 * @param type {@code Normal} or {@code Warning}
 * @param reason the reason, one word
 * @param note the text
 * @since 0.1.0
 */
public record RecordedEvent(String type, String reason, String note) {}
