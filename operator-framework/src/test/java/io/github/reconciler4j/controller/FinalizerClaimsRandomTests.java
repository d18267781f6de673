package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Drawn controllers, in whatever way their cleaner, kind and finalizer are declared: of two with a cleaner for one kind and the same
 * finalizer, the second is refused, and no other. More: {@code -Dclaims.cases=20000}.
 */
class FinalizerClaimsRandomTests {

    private static final int CASES = Integer.getInteger("claims.cases", 300);
    private static final List<String> FINALIZERS =
            List.of("", "", "configmaps/finalizer", "secrets/finalizer", "example.io/a", "example.io/b");

    private final long seed = Long.getLong("claims.seed", 1);
    private final Random random = new Random(seed);
    private final Manager manager = Manager.create(
            new ConfigBuilder().withMasterUrl("http://127.0.0.1:1").build());

    @BeforeEach
    void register() {
        manager.options().scheme().register(manager.options().scheme().kindOf(ConfigMap.class));
        manager.options().scheme().register(manager.options().scheme().kindOf(Secret.class));
    }

    @AfterEach
    void close() {
        manager.close();
    }

    /** A reconciler that is its own cleaner. */
    private static final class Both<T extends HasMetadata> implements ObjectReconciler<T>, Cleaner<T> {

        @Override
        public Result reconcile(T object, ReconcileContext context) {
            return Result.done();
        }

        @Override
        public CleanupResult cleanup(T object, ReconcileContext context) {
            return CleanupResult.done();
        }
    }

    @Test
    void controllersWhenDrawnNeverShareAFinalizer() {
        int refused = 0;
        for (int i = 0; i < CASES; i++) {
            Map<String, String> owners = new HashMap<>();
            Map<String, Controller<?>> added = new HashMap<>();
            for (int n = 0; n < 6; n++) {
                refused += change("c" + n, owners, added, "-Dclaims.seed=" + seed + ", case " + i) ? 1 : 0;
            }
            added.values().forEach(manager::remove);
        }
        assertThat(refused).as("refused controllers").isBetween(CASES / 4, CASES * 4);
    }

    /** Adds a controller, perhaps in place of another, and returns whether it was refused. */
    private boolean change(String name, Map<String, String> owners, Map<String, Controller<?>> added, String what) {
        if (!added.isEmpty() && random.nextInt(4) == 0) {
            String removed = added.keySet().iterator().next();
            manager.remove(added.remove(removed));
            owners.values().removeIf(removed::equals);
        }
        String kind = random.nextBoolean() ? "ConfigMap" : "Secret";
        String finalizer = FINALIZERS.get(random.nextInt(FINALIZERS.size()));
        boolean isGeneric = random.nextInt(3) == 0;
        int cleaner = random.nextInt(4);
        ControllerBuilder<?> builder = isGeneric
                ? cleaning(ControllerBuilder.of(Kind.of("v1", kind)), cleaner)
                : kind.equals("Secret")
                        ? cleaning(ControllerBuilder.of(Secret.class), cleaner)
                        : cleaning(ControllerBuilder.of(ConfigMap.class), cleaner);
        if (!finalizer.isEmpty() && cleaner > 0) {
            builder.finalizer(finalizer);
        }
        String claim = kind + " " + (finalizer.isEmpty() ? kind.toLowerCase(Locale.ROOT) + "s/finalizer" : finalizer);
        String owner = cleaner == 0 ? null : owners.putIfAbsent(claim, name);
        String description = what + ": " + name + " claims " + claim;
        if (owner == null) {
            added.put(name, builder.named(name).addTo(manager));
            return false;
        }
        assertThat(catchThrowableOfType(
                        IllegalArgumentException.class,
                        () -> builder.named(name).addTo(manager)))
                .as(description)
                .hasMessageContaining("'" + name + "': '" + owner + "' has the finalizer");
        return true;
    }

    private static <T extends HasMetadata> ControllerBuilder<T> cleaning(ControllerBuilder<T> builder, int cleaner) {
        return switch (cleaner) {
            case 0 -> builder.reconciler((object, context) -> Result.done());
            case 1 -> builder.reconciler(new Both<>());
            default ->
                builder.reconciler((object, context) -> Result.done())
                        .cleaner((object, context) -> CleanupResult.done());
        };
    }
}
