package io.github.reconciler4j.test.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a Spring Boot operator against a cluster: by default an API server in this JVM that is made for the class, see
 * {@link io.github.reconciler4j.test.cluster.TestCluster} for real ones.
 *
 * <!-- snippet: WebPageTests -->
 * <pre>{@code
 * @OperatorTest(classes = WebPageApplication.class)
 * class WebPageTests {
 *
 *     @Test
 *     void pageWhenCreatedGetsAConfigMap(TestCluster cluster) {
 *         String namespace = cluster.createNamespace("pages");
 *         WebPage page = new WebPage();
 *         page.setMetadata(new ObjectMetaBuilder().withName("hello").build());
 *         page.setSpec(new WebPageSpec());
 *         page.getSpec().setHtml("<h1>Hi</h1>");
 *
 *         cluster.client().resource(page).inNamespace(namespace).create();
 *
 *         cluster.expect(ConfigMap.class, namespace, "hello").toHave("/data/index.html", "<h1>Hi</h1>");
 *     }
 * }
 * }</pre>
 *
 * <p>Custom resource definitions of the class path are installed before the application starts. The application gets the
 * cluster as a primary bean of type {@link io.fabric8.kubernetes.client.Config}; of the types {@code TestCluster} and (in
 * this JVM) {@code KubernetesServer} there are beans, too, and test methods can have parameters of all three types. After
 * the class the application and its server end, unless they are {@link #shared}.
 *
 * @since 0.1.0
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith({FailedStart.class, OperatorTestExtension.class}) // before Spring's
@SpringBootTest
public @interface OperatorTest {
    /** Return the configuration of the application; by default it is found as for {@link SpringBootTest}. */
    @AliasFor(annotation = SpringBootTest.class)
    Class<?>[] classes() default {};

    /** Properties of the application as {@code key=value}. */
    @AliasFor(annotation = SpringBootTest.class)
    String[] properties() default {};

    /** Which web server the application gets, if it is a web application. */
    @AliasFor(annotation = SpringBootTest.class)
    SpringBootTest.WebEnvironment webEnvironment() default SpringBootTest.WebEnvironment.MOCK;

    /**
     * Folders of the class path whose custom resource definitions are installed; a name that ends in {@code .yml},
     * {@code .yaml} or {@code .json} is one file.
     */
    String[] definitions() default {"META-INF/fabric8", "META-INF/crds"};

    /**
     * Return the controllers of Kubernetes that run on the server in this JVM, with a scheduler and nodes: their names,
     * {@link io.github.reconciler4j.test.cluster.TestCluster#FULL} for all, {@code -name} for all but one. They need
     * {@code reconciler4j-test-cluster} on the class path. By default none run. No effect on real clusters.
     */
    String[] cluster() default {};

    /**
     * Return the version of Kubernetes that the server in this JVM offers, such as {@code 1.31}: which kinds and versions it serves,
     * and which features it has. By default the newest. On real clusters without effect.
     */
    String kubernetes() default "";

    /** Change the settings of the server in this JVM; made by its constructor without parameters. */
    Class<? extends ServerCustomizer> server() default ServerCustomizer.None.class;

    /**
     * Return whether classes with the same settings share application and server, until the JVM ends or the application leaves
     * Spring's cache of contexts. By default each class has its own, which end after it.
     */
    boolean shared() default false;

    /**
     * Whether the operator has exactly the rights of the roles that {@code reconciler4j-maven-plugin} has generated
     * ({@code META-INF/reconciler4j/rbac.yaml} on the class path). A test in which the API server refuses a request of the
     * operator then fails, with the permission to declare. By default the operator may do everything. The system property
     * {@code reconciler4j.test.generated-role=true} sets it for all tests; with the path of a file it takes the roles from
     * there. On real clusters without effect.
     */
    boolean generatedRole() default false;

    /**
     * Files with the roles that the operator has, in place of {@link #generatedRole}: paths from the folder of the module, with
     * {@code *} and {@code **}, or places of the class path after {@code classpath:}. The operator has all ClusterRoles and Roles in
     * them, unless a binding in them gives a role to another account; what else they contain is not used. Templates of a chart are
     * refused: name what {@code helm template} makes of them. A test in which the API
     * server refuses a request fails, as with {@code generatedRole}. By default the operator may do everything. On real clusters
     * without effect, which a warning says.
     */
    String[] roles() default {};

    /**
     * Return the names of the controllers that run, as in the list {@code reconciler4j.enabled-controllers}: {@code {"*", "-webapp"}}
     * are all but one. A name that no controller has ends the start. By default the properties of the application decide.
     */
    String[] controllers() default {};
}
