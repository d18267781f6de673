package io.github.reconciler4j.manager.internal;

/** What the API server's logs show as the client. */
final class UserAgent {

    private UserAgent() {}

    /** The operator with its version, then this framework with its own; what no header may contain becomes a dash. */
    static String of(String operator, String version) {
        String framework = UserAgent.class.getPackage().getImplementationVersion();
        String ours = framework == null ? "" : "/" + token(framework);
        return token(operator) + "/" + token(version) + " reconciler4j" + ours;
    }

    private static String token(String text) {
        return text.replaceAll("[^!#$%&'*+.^_`|~0-9A-Za-z-]", "-");
    }
}
