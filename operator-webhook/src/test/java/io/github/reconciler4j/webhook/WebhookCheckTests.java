package io.github.reconciler4j.webhook;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.webhook.fixtures.Widget;
import io.github.reconciler4j.webhook.fixtures.WidgetRules;
import org.junit.jupiter.api.Test;

class WebhookCheckTests {

    private static final CustomResourceDefinition DEFINITION =
            new KubernetesSerialization().unmarshal(Widget.DEFINITION, CustomResourceDefinition.class);

    private static WebhookCheck check(Defaulter<Widget> defaulter, Converter<Widget, Widget.Beta> converter) {
        return WebhookCheck.of(
                        Webhooks.builder()
                                .defaulter(Widget.class, defaulter)
                                .converter(Widget.class, Widget.Beta.class, converter)
                                .build(),
                        DEFINITION)
                .withSeed(1);
    }

    private static WebhookCheck check() {
        return check(new WidgetRules.Defaults(), new Widget.BetaConverter());
    }

    @Test
    void defaulterWhenItIsIdempotentPasses() {
        check().defaultersChangeNothingTwice();
    }

    @Test
    void defaulterWhenItCountsItsCallsFails() {
        WebhookCheck check = check(
                (widget, request) -> widget.getSpec().replicas =
                        widget.getSpec().replicas == null ? 1 : widget.getSpec().replicas + 1,
                new Widget.BetaConverter());

        assertThatThrownBy(check::defaultersChangeNothingTwice)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("changes its own result (seed 1)");
    }

    @Test
    void conversionWhenTheFrameworkKeepsWhatTheVersionsLackPasses() {
        check().conversionsLoseNothing();
    }

    @Test
    void webhooksWhenManyObjectsAreDrawnPass() {
        WebhookCheck check = check().withTries(Integer.getInteger("webhook.tries", 500));

        check.conversionsLoseNothing();
        check.defaultersChangeNothingTwice();
    }

    @Test
    void conversionWhenItFailsNamesTheObject() {
        WebhookCheck check = check(new WidgetRules.Defaults(), new Widget.BetaConverter() {
            @Override
            public Widget toHub(Widget.Beta beta) {
                throw new IllegalArgumentException("spec.color: unknown");
            }
        });

        assertThatThrownBy(check::conversionsLoseNothing)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("spec.color: unknown")
                .hasMessageContaining("drawn-");
    }

    @Test
    void triesWhenNotPositiveAreRefused() {
        assertThatThrownBy(() -> check().withTries(0)).hasMessage("'tries' must be positive, was 0");
    }
}
