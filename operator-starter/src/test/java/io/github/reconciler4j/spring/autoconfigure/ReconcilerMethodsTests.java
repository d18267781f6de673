package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.spring.Index;
import io.github.reconciler4j.spring.Owns;
import io.github.reconciler4j.spring.Reconciler;
import io.github.reconciler4j.spring.References;
import io.github.reconciler4j.spring.Watches;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Annotated methods become watches, and mistakes in them are reported with the fix. */
class ReconcilerMethodsTests extends OperatorContextFixture {

    private static final String PAGE = "WebPage.v1.test.reconciler4j.io";

    @Test
    void watchesWhenDeclaredAreThoseOfTheController() {
        contextRunner.withUserConfiguration(Valid.class).run(context -> {
            assertThat(controller(context.getBean(Manager.class), "webpage").sources())
                    .extracting(RequestSource::name)
                    .containsExactlyInAnyOrder(PAGE, "Secret.v1", "ConfigMap.v1", "Policy.v1.example.com", "Secret.v1");
            assertThat(context.getBean(ReconcilerRegistry.class)
                            .reconcilers()
                            .get("webpage")
                            .watchedKinds())
                    .containsExactlyInAnyOrder(
                            KindName.of("v1", "Secret"),
                            KindName.of("v1", "ConfigMap"),
                            KindName.of("example.com/v1", "Policy"));
        });
    }

    @Test
    void watchesWhenTheReconcilerHasItsOwnRequestsReturnThese() {
        contextRunner
                .withUserConfiguration(Tenants.class)
                .run(context -> assertThat(controller(context.getBean(Manager.class), "tenants")
                                .sources())
                        .extracting(RequestSource::name)
                        .containsExactly("ConfigMap.v1"));
    }

    @ParameterizedTest
    @MethodSource({"startWhenADeclarationIsInvalidReportsTheMethodAndTheFix", "wrongFields"})
    void startWhenADeclarationIsInvalidReportsTheMethodAndTheFix(Class<?> bean, String problem, String fix) {
        contextRunner.withUserConfiguration(bean).run(context -> {
            FailureAnalysis report = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(report).isNotNull();
            assertThat(report.getDescription())
                    .startsWith("The @Reconciler bean 'reconcilerMethodsTests." + bean.getSimpleName() + "' ")
                    .contains(problem);
            assertThat(report.getAction()).contains(fix);
        });
    }

    static Stream<Arguments> startWhenADeclarationIsInvalidReportsTheMethodAndTheFix() {
        return Stream.of(
                arguments(NoParameter.class, "NoParameter.pages(), which takes 0 parameters", "exactly one parameter"),
                arguments(NoKind.class, "NoKind.pages(ObjectHeader) that does not name a kind", "such as Secret.class"),
                arguments(
                        OtherKind.class,
                        "watches v1/Secret by @Watches on the method OtherKind.pages(ConfigMap)",
                        "type Secret or ObjectHeader"),
                arguments(NoResult.class, "NoResult.pages(Secret), which returns void", "Return Request or ObjectKey"),
                arguments(WrongResult.class, "which returns java.util.List<java.lang.String>", "Return Request"),
                arguments(
                        TwoKinds.class,
                        "names two kinds in @Watches on the method TwoKinds.pages(Secret)",
                        "Keep either"),
                arguments(
                        ReferenceOfNothing.class,
                        "@References on the method ReferenceOfNothing.secret(WebPage) that does not name a kind",
                        "with 'value'"),
                arguments(ReferenceOfOther.class, "ReferenceOfOther.secret(Secret), which takes", "type WebPage"),
                arguments(OwnsNothing.class, "@Owns that does not name a kind", "with 'value'"),
                arguments(
                        PredicateOfOther.class,
                        "OfSecrets of Secret, but the events are those of ObjectHeader",
                        "EventPredicate<ObjectHeader>"),
                arguments(HalfKind.class, "whose 'kind' is malformed: 'Policy' does not name a kind", "Correct 'kind'"),
                arguments(
                        TypedKind.class,
                        "watches v1/Secret by @Watches on the method TypedKind.pages(Secret)",
                        "GenericKubernetesResource"),
                arguments(WrongTerm.class, "which returns java.util.List<java.lang.Integer>", "String or ObjectKey"),
                arguments(HeaderIndex.class, "HeaderIndex.terms(ObjectHeader)", "class of the indexed kind"),
                arguments(TwoReconcileOn.class, "several values of 'reconcileOn'", "Keep one"));
    }

    static Stream<Arguments> wrongFields() {
        return Stream.of(
                arguments(
                        FieldsOfHeader.class,
                        "@Watches on the method FieldsOfHeader.pages(ObjectHeader) with 'onChangeOf', but watches only",
                        "instead of its ObjectHeader"),
                arguments(
                        WrongField.class,
                        "'onChangeOf' that is not valid: The path 'status.sise' leads nowhere: Void has no field 'sise'",
                        "as in the JSON of the object"),
                arguments(WrongPath.class, "'onChangeOf' that is not valid: 'paths' must be", "as in the JSON"));
    }

    @Test
    void startWhenAJdkProxyHidesTheMethodReportsIt() {
        contextRunner
                .withUserConfiguration(ProxiedPages.class, JdkProxies.class)
                .run(context -> {
                    FailureAnalysis report = new OperatorFailureAnalyzer().analyze(context.getStartupFailure());
                    assertThat(report).isNotNull();
                    assertThat(report.getDescription()).contains("ProxiedPages' is a proxy without", "pages(");
                    assertThat(report.getAction()).contains("spring.aop.proxy-target-class");
                });
    }

    abstract static class Pages implements ObjectReconciler<WebPage> {

        @Override
        public Result reconcile(WebPage page, ReconcileContext context) {
            return Result.done();
        }
    }

    @Reconciler
    static class Valid extends Pages {

        @References(value = Secret.class, index = "secret", reconcileOn = ReconcileOn.ANY_CHANGE)
        String secretOf(WebPage page) {
            return page.getMetadata().getName();
        }

        @Index("owner")
        List<String> ownersOf(ConfigMap map) {
            return List.of();
        }

        @Watches
        Request ofMap(ConfigMap map) {
            return new Request("a", "b");
        }

        @Watches(Secret.class)
        private Stream<Request> ofSecret(ObjectHeader secret) {
            return Stream.of();
        }

        @Watches(kind = "example.com/v1/Policy")
        public List<? extends Request> ofPolicy(GenericKubernetesResource policy) {
            return List.of();
        }
    }

    record Tenant(String name) {}

    @Reconciler(name = "tenants")
    static class Tenants implements RequestReconciler<Tenant> {

        @Watches
        Tenant ofMap(ConfigMap map) {
            return new Tenant(map.getMetadata().getName());
        }

        @Override
        public Result reconcile(Tenant tenant, ReconcileContext context) {
            return Result.done();
        }
    }

    @Reconciler
    static class FieldsOfHeader extends Pages {

        @Watches(value = Secret.class, onChangeOf = "type")
        List<Request> pages(ObjectHeader secret) {
            return List.of();
        }
    }

    @Reconciler
    @Owns(value = WebPage.class, onChangeOf = "status.sise")
    static class WrongField extends Pages {}

    @Reconciler
    static class WrongPath extends Pages {

        @Watches(onChangeOf = "spec..tls")
        List<Request> pages(Secret secret) {
            return List.of();
        }
    }

    @Reconciler
    static class NoParameter extends Pages {

        @Watches(Secret.class)
        Request pages() {
            return new Request("", "");
        }
    }

    @Reconciler
    static class NoKind extends Pages {

        @Watches
        Request pages(ObjectHeader header) {
            return new Request("", "");
        }
    }

    @Reconciler
    static class OtherKind extends Pages {

        @Watches(Secret.class)
        Request pages(ConfigMap map) {
            return new Request("", "");
        }
    }

    @Reconciler
    static class NoResult extends Pages {

        @Watches
        void pages(Secret secret) {}
    }

    @Reconciler
    static class WrongResult extends Pages {

        @Watches
        List<String> pages(Secret secret) {
            return List.of();
        }
    }

    @Reconciler
    static class TwoKinds extends Pages {

        @Watches(value = Secret.class, kind = "v1/Secret")
        Request pages(Secret secret) {
            return new Request("", "");
        }
    }

    @Reconciler
    static class ReferenceOfNothing extends Pages {

        @References
        String secret(WebPage page) {
            return "";
        }
    }

    @Reconciler
    static class ReferenceOfOther extends Pages {

        @References(Secret.class)
        String secret(Secret secret) {
            return "";
        }
    }

    @Reconciler
    @Owns
    static class OwnsNothing extends Pages {}

    @Reconciler
    static class PredicateOfOther extends Pages {

        @References(value = Secret.class, predicates = OfSecrets.class)
        String secret(WebPage page) {
            return "";
        }
    }

    static class OfSecrets implements EventPredicate<Secret> {

        @Override
        public boolean test(ObjectEvent<? extends Secret> event) {
            return event.snapshot().object().getType() != null;
        }
    }

    @Reconciler
    static class HalfKind extends Pages {

        @Watches(kind = "Policy")
        Request pages(ObjectHeader policy) {
            return new Request("", "");
        }
    }

    @Reconciler
    static class TypedKind extends Pages {

        @Watches(kind = "v1/Secret")
        Request pages(Secret secret) {
            return new Request("", "");
        }
    }

    @Reconciler
    static class WrongTerm extends Pages {

        @Index("size")
        List<Integer> terms(WebPage page) {
            return List.of();
        }
    }

    @Reconciler
    static class HeaderIndex extends Pages {

        @Index("size")
        String terms(ObjectHeader page) {
            return "";
        }
    }

    @Reconciler
    static class TwoReconcileOn extends Pages {

        @Watches(reconcileOn = {ReconcileOn.ANY_CHANGE, ReconcileOn.GENERATION})
        Request pages(Secret secret) {
            return new Request("", "");
        }
    }

    @Reconciler
    static class ProxiedPages extends Pages {

        @Watches
        Request pages(Secret secret) {
            return new Request("", "");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class JdkProxies {

        @Bean
        static BeanPostProcessor proxies() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String beanName) {
                    return bean instanceof ObjectReconciler<?> ? new ProxyFactory(bean).getProxy() : bean;
                }
            };
        }
    }
}
