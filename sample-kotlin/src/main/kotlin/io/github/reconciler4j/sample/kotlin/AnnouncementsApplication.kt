package io.github.reconciler4j.sample.kotlin

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

/** An operator that publishes announcements. */
@SpringBootApplication class AnnouncementsApplication

/** Starts the operator. */
fun main(arguments: Array<String>) {
    runApplication<AnnouncementsApplication>(*arguments)
}
