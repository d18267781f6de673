package io.github.reconciler4j.rewrite;

import java.util.List;
import org.openrewrite.Recipe;

/**
 * Moves the mechanical part of an operator of the Java Operator SDK 5: reconcilers, dependencies and the start. What needs a
 * decision gets a comment that starts with {@code TODO reconciler4j}. Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class FromJavaOperatorSdk extends Recipe {

    /** Creates the recipe. */
    public FromJavaOperatorSdk() {}

    @Override
    public String getDisplayName() {
        return "Move from the Java Operator SDK";
    }

    @Override
    public String getDescription() {
        return "Moves reconcilers, dependencies and the start of an operator to Reconciler4j, and marks what needs a decision.";
    }

    @Override
    public List<Recipe> getRecipeList() {
        return List.of(new MoveStart(), new MoveReconcilers(), new MoveDependencies());
    }
}
