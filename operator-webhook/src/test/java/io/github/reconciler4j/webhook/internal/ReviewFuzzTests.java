package io.github.reconciler4j.webhook.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.test.fuzz.Fuzz;
import io.github.reconciler4j.webhook.fixtures.Widget;
import io.github.reconciler4j.webhook.internal.Decoding.UndecodableException;
import io.github.reconciler4j.webhook.internal.Endpoint.BadReviewException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Damaged reviews are answered or refused. */
@Timeout(300)
class ReviewFuzzTests {

    private static final KindInfo WIDGETS = new KindInfo(KindName.of(Widget.class), "widgets", true);

    private static final List<Endpoint> ADMISSION = List.of(
            AdmissionEndpoint.validating("/validate", Widget.class, WIDGETS, (widget, validation) -> {}),
            AdmissionEndpoint.mutating("/default", Widget.class, WIDGETS, (widget, request) -> {
                if (widget.getSpec() != null) {
                    widget.getSpec().replicas = 1;
                }
            }));

    @Test
    void admissionReviewWhenBytesAreDamagedIsAnsweredOrRefused() {
        Fuzz.run(
                "admission-reviews",
                input -> {
                    for (Endpoint endpoint : ADMISSION) {
                        answer(endpoint, input);
                    }
                },
                BadReviewException.class,
                UndecodableException.class);
    }

    @Test
    void conversionReviewWhenBytesAreDamagedIsAnsweredOrRefused() {
        KindConversion<Widget> kind = new KindConversion<>(KindName.of(Widget.class), Widget.class);
        kind.add(KindName.of(Widget.Beta.class), Widget.Beta.class, new Widget.BetaConverter());
        Endpoint endpoint = new ConversionEndpoint(List.of(kind));

        Fuzz.run("conversion-reviews", input -> answer(endpoint, input), BadReviewException.class);
    }

    private static void answer(Endpoint endpoint, byte[] input) throws Exception {
        ObjectNode response = endpoint.respond(Endpoint.parse(input));
        Endpoint.encode(response);
    }
}
