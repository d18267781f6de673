package io.github.reconciler4j.test.server.internal.webhook;

/** A call of a webhook that failed before there was an answer to read. The message is worded like kube-apiserver's. */
public final class WebhookFailure extends Exception {
    private static final long serialVersionUID = 1L;

    public WebhookFailure(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
