package io.github.reconciler4j.rewrite;

import org.openrewrite.java.tree.J;

/** The methods that stand for results of the SDK that write. A class gets those that it calls. */
enum Helper {
    STATUS("patchStatus", false, true),
    RESOURCE("patchResource", true, false),
    BOTH("patchResourceAndStatus", true, true);

    private final String name;
    private final boolean resource;
    private final boolean status;

    Helper(String name, boolean resource, boolean status) {
        this.name = name;
        this.resource = resource;
        this.status = status;
    }

    boolean writesResource() {
        return resource;
    }

    boolean writesStatus() {
        return status;
    }

    /** Returns whether the text of a class calls it. */
    boolean isCalled(String body) {
        return body.matches("(?s).*\\b" + name + "\\(.*");
    }

    boolean isDeclared(J.ClassDeclaration type) {
        return type.getBody().getStatements().stream()
                .anyMatch(one -> one instanceof J.MethodDeclaration declared
                        && declared.getSimpleName().equals(name));
    }

    /** Returns the method for a kind. The SDK applies the resource, too. */
    String method(String kind) {
        return "private Result " + name + "(" + kind + " object, ReconcileContext context, Result next) {\n"
                + (resource ? "    context.client().apply(object);\n" : "")
                + (status
                        ? "    context.client().status().edit(object, current -> current.setStatus(object.getStatus()));\n"
                        : "")
                + "    return next;\n}";
    }
}
