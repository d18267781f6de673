package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.spring.Reconciler;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.DefaultResourceLoader;

/** A restart of DevTools loads the classes of the application again, but not those of the framework. */
class RestartTests extends RunningOperatorFixture {

    @Test
    void restartWhenClassesAreLoadedAgainReconcilesObjectsOfTheNewClasses() throws Exception {
        Config config = server.clientConfig();
        Set<String> before = threads();
        ClassLoader first = loader();
        ConfigurableApplicationContext context = run(first, config);
        Client client = context.getBean(Client.class);
        client.create(definition());
        client.create(page("first"));
        eventually("the first class").until(() -> reconciledBy(context).contains(first));
        context.close();
        eventually("the end of the threads")
                .untilAsserted(() -> assertThat(threads()).isSubsetOf(before));

        ClassLoader second = loader();
        ConfigurableApplicationContext restarted = run(second, config);
        eventually("the second class").until(() -> reconciledBy(restarted).contains(second));
        assertThat(reconciledBy(restarted)).containsOnly(second);
    }

    private static ClassLoader loader() {
        return new ReloadingClassLoader(
                RestartTests.class.getProtectionDomain().getCodeSource().getLocation());
    }

    private ConfigurableApplicationContext run(ClassLoader loader, Config config) throws ClassNotFoundException {
        Thread thread = Thread.currentThread();
        ClassLoader original = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return new SpringApplicationBuilder(loader.loadClass(Application.class.getName()))
                    .resourceLoader(new DefaultResourceLoader(loader))
                    .web(WebApplicationType.NONE)
                    .initializers(created -> {
                        contexts.add(created);
                        created.getBeanFactory().registerSingleton("config", config);
                    })
                    .run("--spring.main.banner-mode=off", "--reconciler4j.name=lifecycle");
        } finally {
            thread.setContextClassLoader(original);
        }
    }

    /** The class loaders of the objects that were reconciled, read without a cast to a class of the application. */
    @SuppressWarnings("unchecked")
    private static List<ClassLoader> reconciledBy(ConfigurableApplicationContext context) {
        return context.getBean("loaders", List.class);
    }

    private static CustomResourceDefinition definition() {
        return new CustomResourceDefinitionBuilder()
                .withNewMetadata()
                .withName("webpages.test.reconciler4j.io")
                .endMetadata()
                .withNewSpec()
                .withGroup("test.reconciler4j.io")
                .withScope("Namespaced")
                .withNewNames()
                .withKind("WebPage")
                .withPlural("webpages")
                .withSingular("webpage")
                .endNames()
                .addNewVersion()
                .withName("v1")
                .withServed(true)
                .withStorage(true)
                .withNewSchema()
                .withOpenAPIV3Schema(
                        new JSONSchemaPropsBuilder().withType("object").build())
                .endSchema()
                .endVersion()
                .endSpec()
                .build();
    }

    private static GenericKubernetesResource page(String name) {
        return new GenericKubernetesResourceBuilder()
                .withApiVersion("test.reconciler4j.io/v1")
                .withKind("WebPage")
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    /** Loads the classes of the application itself, and all others from its parent, as DevTools' does. */
    private static final class ReloadingClassLoader extends URLClassLoader {

        ReloadingClassLoader(URL classes) {
            super(new URL[] {classes}, RestartTests.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(WebPage.class.getName()) && !name.startsWith(Application.class.getName())) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        List<ClassLoader> loaders() {
            return new CopyOnWriteArrayList<>();
        }

        @Bean
        @Reconciler(name = "pages")
        ObjectReconciler<WebPage> pages(List<ClassLoader> loaders) {
            return (page, context) -> {
                loaders.add(page.getClass().getClassLoader());
                return Result.done();
            };
        }
    }
}
