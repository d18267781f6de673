package io.github.reconciler4j.controllers.internal.namespace;

/** The conditions that say why a namespace is still there, in the order in which they are added to its status. */
enum NamespaceProblem {
    DISCOVERY(
            "NamespaceDeletionDiscoveryFailure",
            "DiscoveryFailed",
            "ResourcesDiscovered",
            "All resources successfully discovered"),
    PARSING(
            "NamespaceDeletionGroupVersionParsingFailure",
            "GroupVersionParsingFailed",
            "ParsedGroupVersions",
            "All legacy kube types successfully parsed"),
    DELETION(
            "NamespaceDeletionContentFailure",
            "ContentDeletionFailed",
            "ContentDeleted",
            "All content successfully deleted, may be waiting on finalization"),
    CONTENT("NamespaceContentRemaining", "SomeResourcesRemain", "ContentRemoved", "All content successfully removed"),
    FINALIZERS(
            "NamespaceFinalizersRemaining",
            "SomeFinalizersRemain",
            "ContentHasNoFinalizers",
            "All content-preserving finalizers finished");

    private final String type;
    private final String reason;
    private final String solvedReason;
    private final String solvedMessage;

    NamespaceProblem(String type, String reason, String solvedReason, String solvedMessage) {
        this.type = type;
        this.reason = reason;
        this.solvedReason = solvedReason;
        this.solvedMessage = solvedMessage;
    }

    String type() {
        return type;
    }

    /** Return the reason of the condition while there is the problem. */
    String reason() {
        return reason;
    }

    /** Return the reason of the condition without the problem. */
    String solvedReason() {
        return solvedReason;
    }

    /** Return the message of the condition without the problem. */
    String solvedMessage() {
        return solvedMessage;
    }
}
