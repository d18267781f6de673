package io.github.reconciler4j.examples;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

@EnableAutoConfiguration
@Import(WebPageReconciler.class)
class WebPageApplication {}
