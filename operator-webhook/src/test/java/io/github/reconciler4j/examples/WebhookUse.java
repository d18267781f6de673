package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.webhook.AdmissionWebhook;
import io.github.reconciler4j.webhook.CertificateSource;
import io.github.reconciler4j.webhook.Converter;
import io.github.reconciler4j.webhook.FileCertificates;
import io.github.reconciler4j.webhook.JakartaValidator;
import io.github.reconciler4j.webhook.Operation;
import io.github.reconciler4j.webhook.OwnCertificateOptions;
import io.github.reconciler4j.webhook.OwnCertificates;
import io.github.reconciler4j.webhook.ServerCertificate;
import io.github.reconciler4j.webhook.Validator;
import io.github.reconciler4j.webhook.WebhookCheck;
import io.github.reconciler4j.webhook.WebhookCleanup;
import io.github.reconciler4j.webhook.WebhookConfigurations;
import io.github.reconciler4j.webhook.WebhookOptions;
import io.github.reconciler4j.webhook.WebhookServer;
import io.github.reconciler4j.webhook.WebhookServerOptions;
import io.github.reconciler4j.webhook.Webhooks;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;

/** What webhooks without Spring look like. */
final class WebhookUse {

    private WebhookUse() {}

    /** A page of version v1, the hub. */
    @Group("examples.reconciler4j.io")
    @Version("v1")
    @Kind("Page")
    public static class Page extends CustomResource<String, Void> implements Namespaced {

        private static final long serialVersionUID = 1L;
    }

    /** A page of version v1beta1. */
    @Group("examples.reconciler4j.io")
    @Version(value = "v1beta1", storage = false)
    @Kind("Page")
    public static class OldPage extends CustomResource<List<String>, Void> implements Namespaced {

        private static final long serialVersionUID = 1L;
    }

    /** The old version has a list of lines. */
    static final class PageConverter implements Converter<Page, OldPage> {

        @Override
        public Page toHub(OldPage old) {
            Page page = new Page();
            page.setSpec(String.join("\n", old.getSpec()));
            return page;
        }

        @Override
        public OldPage fromHub(Page page) {
            OldPage old = new OldPage();
            old.setSpec(page.getSpec().lines().toList());
            return old;
        }
    }

    static Webhooks webhooks(Validator<Page> validator) {
        return Webhooks.builder()
                .validator(Page.class, validator)
                .defaulter(Page.class, (page, request) -> page.addFinalizer("example.com/page"))
                .converter(Page.class, OldPage.class, new PageConverter())
                .build();
    }

    static WebhookServerOptions server() {
        return WebhookServerOptions.defaults()
                .withPort(9443)
                .withService("pages", "page-operator-webhook")
                .withDrain(Duration.ofSeconds(5));
    }

    static WebhookServer serve(Manager manager, Webhooks webhooks) {
        FileCertificates certificates = FileCertificates.in(Path.of("/etc/webhook")); // of cert-manager
        return WebhookServer.addTo(manager, webhooks, certificates, server());
    }

    static WebhookServer withOwnCertificates(Manager manager, Webhooks webhooks) {
        OwnCertificates certificates = OwnCertificates.create(
                OwnCertificateOptions.defaults().withLives(Duration.ofDays(3650), Duration.ofDays(90)));
        return WebhookServer.addTo(manager, webhooks, certificates, server());
    }

    /** A certificate that does not change while the process runs. */
    record FixedCertificate(PrivateKey key, List<X509Certificate> chain) implements CertificateSource {

        @Override
        public void start(Server server) throws GeneralSecurityException {
            server.use(ServerCertificate.of(key, chain));
        }

        @Override
        public void stop() {}
    }

    static WebhookOptions options() {
        return WebhookOptions.defaults()
                .withOperations(Operation.CREATE)
                .withFailurePolicy(WebhookOptions.FailurePolicy.IGNORE)
                .withMatchCondition("people", "!request.userInfo.username.startsWith('system:')");
    }

    static Validator<Page> constraints(jakarta.validation.Validator jakarta) {
        return JakartaValidator.of(Page.class, jakarta).withOptions(options());
    }

    static List<String> paths(Webhooks webhooks) {
        return webhooks.admission().stream().map(AdmissionWebhook::path).toList();
    }

    static void check(Webhooks webhooks, CustomResourceDefinition definition) {
        WebhookCheck check = WebhookCheck.of(webhooks, definition).withTries(1_000);
        check.defaultersChangeNothingTwice();
        check.conversionsLoseNothing();
    }

    static void install(Manager manager, Webhooks webhooks) {
        for (HasMetadata configuration : WebhookConfigurations.of(webhooks, server())) {
            manager.client().apply(configuration);
        }
    }

    static void uninstall(Manager manager, Webhooks webhooks) {
        WebhookCleanup.run(manager.client(), webhooks, server());
    }
}
