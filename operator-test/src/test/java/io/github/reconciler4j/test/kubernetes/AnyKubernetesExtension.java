package io.github.reconciler4j.test.kubernetes;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Does what {@link AnyKubernetesTest} says. */
final class AnyKubernetesExtension implements BeforeAllCallback, ParameterResolver {

    /** {@code real} in the whole proof, {@code in-jvm} in the quick one. */
    static final String PROPERTY = "test.kubernetes";

    private static final Namespace IN_JVM = Namespace.create(AnyKubernetesExtension.class);

    static boolean isReal() {
        return "real".equals(System.getProperty(PROPERTY));
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        kubernetes(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == AnyKubernetes.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return kubernetes(context);
    }

    private static AnyKubernetes kubernetes(ExtensionContext context) {
        AnyKubernetesTest wanted = AnnotationSupport.findAnnotation(
                        context.getRequiredTestClass(), AnyKubernetesTest.class, context.getEnclosingTestClasses())
                .orElseThrow();
        if (isReal()) {
            return RealKubernetesExtension.kubernetes(context, wanted.dedicated(), wanted.components());
        }
        Store store =
                wanted.dedicated() ? context.getStore(IN_JVM) : context.getStore(StoreScope.LAUNCHER_SESSION, IN_JVM);
        return store.computeIfAbsent(
                wanted.dedicated() ? "dedicated" : "shared", ignored -> InJvmKubernetes.start(), InJvmKubernetes.class);
    }
}
