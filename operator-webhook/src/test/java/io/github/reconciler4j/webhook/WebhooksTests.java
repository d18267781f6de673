package io.github.reconciler4j.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reconciler4j.webhook.fixtures.Widget;
import io.github.reconciler4j.webhook.fixtures.WidgetRules;
import org.junit.jupiter.api.Test;

class WebhooksTests {

    /** The same rules, at another path. */
    private static final class NamedRules extends WidgetRules {

        @Override
        public WebhookOptions options() {
            return WebhookOptions.defaults().withName("more");
        }
    }

    @Test
    void webhookWhenItsPathIsTakenIsRefusedUnlessItHasAName() {
        Webhooks.Builder builder = Webhooks.builder()
                .validator(Widget.class, new WidgetRules())
                .defaulter(Widget.class, new WidgetRules.Defaults());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.validator(Widget.class, new WidgetRules()))
                .withMessageContaining("There are two webhooks at /validate-")
                .withMessageContaining("WebhookOptions.withName");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.defaulter(Widget.class, new WidgetRules.Defaults()))
                .withMessageContaining("There are two webhooks at /mutate-");

        assertThat(builder.validator(Widget.class, new NamedRules()).build().admission())
                .extracting(AdmissionWebhook::path)
                .hasSize(3)
                .doesNotHaveDuplicates();
    }
}
