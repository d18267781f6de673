package io.github.reconciler4j.test.kubernetes;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Does what {@link RealKubernetesTest} says. The stores of JUnit own the instances: the shared one ends with the
 * launcher's session, a dedicated one with its class.
 */
final class RealKubernetesExtension implements BeforeAllCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(RealKubernetesExtension.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        kubernetes(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == RealKubernetes.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return kubernetes(context);
    }

    private static RealKubernetes kubernetes(ExtensionContext context) {
        RealKubernetesTest wanted = AnnotationSupport.findAnnotation(
                        context.getRequiredTestClass(), RealKubernetesTest.class, context.getEnclosingTestClasses())
                .orElseThrow();
        return kubernetes(context, wanted.dedicated(), wanted.components());
    }

    static RealKubernetes kubernetes(ExtensionContext context, boolean dedicated, KubernetesComponent... components) {
        RealKubernetesOptions options = RealKubernetesOptions.defaults().withOnly(components);
        if (dedicated) {
            // Within a method's context this finds what was stored for the class, but never the shared one.
            return in(context.getStore(NAMESPACE), "dedicated", options);
        }
        return in(context.getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE), options.components(), options);
    }

    private static RealKubernetes in(Store store, Object key, RealKubernetesOptions options) {
        return store.computeIfAbsent(key, ignored -> RealKubernetes.start(options), RealKubernetes.class);
    }
}
