package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.spring.Owns;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.References;
import io.github.reconciler4j.spring.Watches;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/** Each annotation that names a kind, with each way to name it. */
class AnnotatedKindsTests {

    private static final KindName SECRET = KindName.of("v1", "Secret");
    private static final KindName CERTIFICATE = KindName.of("cert-manager.io/v1", "Certificate");
    private static final List<Class<? extends Annotation>> ANNOTATIONS =
            List.of(Reconciler.class, Owns.class, Watches.class, References.class);

    /** A way to name a kind, with the kind or the words of the error. */
    private record Naming(Class<? extends HasMetadata> value, String kind, KindName expected, String problem) {}

    private static Naming named(Class<? extends HasMetadata> value, String kind, KindName expected) {
        return new Naming(value, kind, expected, "");
    }

    private static Naming wrong(Class<? extends HasMetadata> value, String kind, String problem) {
        return new Naming(value, kind, SECRET, problem);
    }

    private static final List<Naming> NAMINGS = List.of(
            named(Secret.class, "", SECRET),
            named(HasMetadata.class, "v1/Secret", SECRET),
            named(HasMetadata.class, "cert-manager.io/v1/Certificate", CERTIFICATE),
            wrong(HasMetadata.class, "", "kind"),
            wrong(Secret.class, "v1/Secret", "names two kinds"),
            wrong(HasMetadata.class, "Secret", "'kind' is malformed: 'Secret' does not name a kind"),
            wrong(HasMetadata.class, "v1/", "is malformed"),
            wrong(HasMetadata.class, "/Secret", "is malformed"),
            wrong(HasMetadata.class, "a/b/c/D", "is malformed"),
            wrong(HasMetadata.class, "apps/v1/Deployment ", "is malformed"),
            wrong(HasMetadata.class, " ", "is malformed"));

    static Stream<Arguments> annotationWhenItNamesAKindFindsItOrNamesTheBeanAndTheProblem() {
        return ANNOTATIONS.stream()
                .flatMap(annotation -> NAMINGS.stream().map(naming -> Arguments.of(annotation, naming)));
    }

    @ParameterizedTest
    @MethodSource
    void annotationWhenItNamesAKindFindsItOrNamesTheBeanAndTheProblem(
            Class<? extends Annotation> annotation, Naming naming) {
        if (naming.problem().isEmpty()) {
            assertThat(read(annotation, naming)).isEqualTo(naming.expected());
        } else {
            assertThatExceptionOfType(OperatorConfigurationException.class)
                    .isThrownBy(() -> read(annotation, naming))
                    .satisfies(e -> {
                        assertThat(e.getMessage()).contains("bean 'bean'", naming.problem());
                        assertThat(e.getMessage()).doesNotContain("\n");
                        assertThat(e.action()).contains("'kind'", "(R4J-30");
                    });
        }
    }

    private static KindName read(Class<? extends Annotation> annotation, Naming naming) {
        Map<String, Object> attributes = Map.of("value", naming.value(), "kind", naming.kind());
        if (annotation == Reconciler.class) {
            ReconcilerBean bean = bean(Requests.class, synthesize(attributes, Reconciler.class), Set.of());
            return bean.kind().orElseThrow().kind();
        }
        if (annotation == Owns.class) {
            Set<Owns> owns = Set.of(synthesize(attributes, Owns.class));
            return bean(Secrets.class, synthesize(Map.of(), Reconciler.class), owns)
                    .ownedKinds()
                    .iterator()
                    .next();
        }
        ReconcilerMethods methods =
                new ReconcilerMethods(bean(Secrets.class, synthesize(Map.of(), Reconciler.class), Set.of()));
        return annotation == Watches.class
                ? methods.watch(synthesize(attributes, Watches.class), method(ObjectHeader.class))
                        .kind()
                        .name()
                : methods.reference(synthesize(attributes, References.class), method(Secret.class))
                        .kind()
                        .name();
    }

    private static <A extends Annotation> A synthesize(Map<String, Object> attributes, Class<A> type) {
        return AnnotationUtils.synthesizeAnnotation(attributes, type, null);
    }

    private static ReconcilerBean bean(Class<?> type, Reconciler annotation, Set<Owns> owns) {
        return ReconcilerBean.read("bean", ResolvableType.forClass(type), annotation, owns, Scheme.create());
    }

    private static Method method(Class<?> parameter) {
        return ReflectionUtils.findMethod(Secrets.class, "method", parameter);
    }

    static class Requests implements RequestReconciler<Request> {

        @Override
        public Result reconcile(Request request, ReconcileContext context) {
            return Result.done();
        }
    }

    static class Secrets implements ObjectReconciler<Secret> {

        @Override
        public Result reconcile(Secret secret, ReconcileContext context) {
            return Result.done();
        }

        List<Request> method(ObjectHeader header) {
            return List.of();
        }

        String method(Secret secret) {
            return "";
        }
    }
}
