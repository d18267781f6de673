package io.github.reconciler4j.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.builder.ControllerAssembly.Relation;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestSnapshot;
import io.github.reconciler4j.handler.OwnerMatch;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RelationValuesTests {

    private static final List<Class<?>> BUILDERS =
            List.of(AbstractControllerBuilder.class, ControllerBuilder.class, RequestControllerBuilder.class);
    private static final ObjectEvent<ObjectHeader> IN_DEFAULT = created("default");
    private static final ObjectEvent<ObjectHeader> IN_OTHER = created("other");

    private static ObjectEvent<ObjectHeader> created(String namespace) {
        TestHeader header = TestHeader.of(namespace, "a").withLabels(Map.of("app", "x"));
        return new ObjectEvent.Created<>(TestSnapshot.of(header, () -> header), false);
    }

    @Test
    void referenceWhenItNamesAnyFormOfAKindWatchesItsMetadata() {
        for (Reference.Builder to : List.of(
                Reference.to(Secret.class),
                Reference.to(Kind.of("v1", "Secret")),
                Reference.to(Kind.of(Secret.class).metadata()))) {
            Relation<ObjectHeader, Request> relation = to.<ConfigMap>by("secret", map -> List.of())
                    .from(site -> {
                        throw new AssertionError("not built");
                    });
            assertThat(relation.kind().isMetadata()).isTrue();
            assertThat(relation.kind()).isEqualTo(Kind.of(Secret.class));
        }
    }

    @Test
    void referenceWhenItHasPredicatesShowsThemTheHeader() {
        Relation<ObjectHeader, Request> relation = Reference.to(Secret.class)
                .when(event -> event.snapshot().object().key().namespace().equals("default"))
                .<ConfigMap>by("secret", map -> List.of())
                .from(site -> {
                    throw new AssertionError("not built");
                });
        assertThat(relation.predicate().test(IN_DEFAULT)).isTrue();
        assertThat(relation.predicate().test(IN_OTHER)).isFalse();
    }

    @Test
    void whenWhenCalledAgainNeedsAllPredicatesAndLeavesTheFirstValueAsItWas() {
        EventPredicate<Object> inDefault = EventPredicates.inNamespaces("default");
        EventPredicate<Object> none = event -> false;
        Watch.Builder<ObjectHeader> watch =
                Watch.kind(Kind.of(Secret.class).metadata()).when(inDefault);
        assertThat(accepts(watch, IN_DEFAULT)).isTrue();
        assertThat(accepts(watch, IN_OTHER)).isFalse();
        assertThat(accepts(watch.when(none), IN_DEFAULT)).isFalse();
        assertThat(accepts(watch, IN_DEFAULT)).isTrue();

        Owned<ObjectHeader> owned = Owned.of(Kind.of(Secret.class).metadata()).when(inDefault);
        assertThat(accepts(owned.match(OwnerMatch.ANY), IN_DEFAULT)).isTrue();
        assertThat(accepts(owned.match(OwnerMatch.ANY), IN_OTHER)).isFalse();
        assertThat(accepts(owned.when(none), IN_DEFAULT)).isFalse();
        assertThat(accepts(owned, IN_DEFAULT)).isTrue();
    }

    @SuppressWarnings("unchecked") // a relation has the predicate of its kind
    private static boolean accepts(Watch.Builder<ObjectHeader> of, ObjectEvent<ObjectHeader> event) {
        Watch<Request> watch = of.map(header -> List.of());
        return ((EventPredicate<Object>) watch.relation().predicate()).test(event);
    }

    private static boolean accepts(Owned<ObjectHeader> owned, ObjectEvent<ObjectHeader> event) {
        return owned.by(site -> {
                    throw new AssertionError("not built");
                })
                .predicate()
                .test(event);
    }

    @Test
    void optionalStaysWhenMoreIsAdded() {
        Function<BuildTarget, KindInfo> unbuilt = site -> {
            throw new AssertionError("not built");
        };
        EventPredicate<Object> inDefault = EventPredicates.inNamespaces("default");
        Owned<Secret> owned = Owned.of(Secret.class);
        assertThat(owned.by(unbuilt).optional()).isFalse();
        assertThat(owned.optional()
                        .match(OwnerMatch.ANY)
                        .when(inDefault)
                        .by(unbuilt)
                        .optional())
                .isTrue();
        Watch<Request> watch =
                Watch.kind(Secret.class).optional().when(inDefault).map(secret -> List.of());
        assertThat(watch.relation().optional()).isTrue();
        Watch<Request> required = Watch.kind(Secret.class).map(secret -> List.of());
        assertThat(required.relation().optional()).isFalse();
        Reference<ConfigMap> reference =
                Reference.to(Secret.class).optional().when(inDefault).by("secret", map -> List.of());
        assertThat(reference.from(site -> null).optional()).isTrue();
    }

    @Test
    void relationWhenAPartIsNullNamesIt() {
        assertThatNullPointerException()
                .isThrownBy(() -> Watch.kind(Secret.class).when(null))
                .withMessageContaining("'predicate'");
        assertThatNullPointerException()
                .isThrownBy(() -> Watch.kind(Secret.class).map(null))
                .withMessageContaining("'mapper'");
        assertThatNullPointerException()
                .isThrownBy(() -> Owned.of(Secret.class).match(null))
                .withMessageContaining("'match'");
        assertThatNullPointerException()
                .isThrownBy(() -> Reference.to(Secret.class).by(null, map -> List.of()))
                .withMessageContaining("'index'");
    }

    /** Two builders with one word for each thing; a detail belongs to a value, not to an overload. */
    @Test
    void publicMethodsOfBothBuildersAreFew() {
        long methods = BUILDERS.stream()
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .count();
        assertThat(methods).isLessThanOrEqualTo(36);
    }

    @Test
    void buildersHaveNoVarargsOfGenericTypes() {
        assertThat(BUILDERS.stream()
                        .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                        .filter(method -> method.isAnnotationPresent(SafeVarargs.class))
                        .map(Method::getName))
                .isEmpty();
    }
}
