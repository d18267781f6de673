package io.github.reconciler4j.sample.kotlin

import io.github.reconciler4j.generator.Main
import java.nio.file.Files
import java.nio.file.Path
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/**
 * The task that the documentation shows for Gradle, as far as it runs without Gradle: its class and
 * its arguments.
 */
class GradleBuildTests {

    private val task =
        Files.readString(Path.of("..", "docs", "deploying.md"))
            .substringAfter("tasks.register('generate', JavaExec) {")
            .substringBefore("\n}")

    @Test
    fun taskCallsTheGenerator() {
        assertThat(task).contains("mainClass = '${Main::class.java.name}'")
    }

    @Test
    fun argumentsWriteDefinitionsAndRoles(@TempDir generated: Path) {
        val definition = "META-INF/crds/announcements.sample.reconciler4j.io.yaml"
        val arguments =
            task
                .substringAfter("args ")
                .split(",")
                .map { it.trim() }
                .map {
                    when (it) {
                        "compiled" -> "target/classes"
                        "sources" -> "src/main/kotlin"
                        else -> it.trim('\'', '"').replace("\$generated", generated.toString())
                    }
                }

        val code = Main.run(*arguments.map { it.replace(PLACEHOLDER, APPLICATION) }.toTypedArray())

        assertThat(code).isZero()
        assertThat(generated.resolve(definition))
            .hasSameTextualContentAs(Path.of("target/classes").resolve(definition))
        assertThat(generated.resolve("META-INF/reconciler4j/rbac.yaml"))
            .content()
            .contains("announcements/status")
    }

    private companion object {
        const val PLACEHOLDER = "com.example.webpages.WebPagesApplication"
        val APPLICATION: String = AnnouncementsApplication::class.java.name
    }
}
