package io.github.reconciler4j.sample.kotlin

import io.fabric8.kubernetes.api.model.ConfigMap
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder
import io.fabric8.kubernetes.client.KubernetesClient
import io.github.reconciler4j.client.Client
import io.github.reconciler4j.test.cluster.TestCluster
import io.github.reconciler4j.test.spring.OperatorTest
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired

@OperatorTest(generatedRole = true)
class AnnouncementTests(
    @Autowired private val cluster: TestCluster,
    @Autowired private val client: Client,
    @Autowired private val fabric8: KubernetesClient,
) {

    private val namespace = cluster.createNamespace("announcements")

    @Test
    fun announcementWhenCreatedIsPublished() {
        create(
            AnnouncementSpec(
                text = "Lunch is ready",
                readers = listOf(Reader("Ada"), Reader("Bob", isGone = true)),
                urgency = Urgency.URGENT,
            )
        )

        val page =
            cluster
                .expect(ConfigMap::class.java, namespace, "lunch")
                .toHave("/data/text", "Lunch is ready")
        assertThat(page.data["readers"]).isEqualTo("Ada")
        assertThat(page.metadata.labels["urgency"]).isEqualTo("urgent")
        val published =
            cluster
                .expect(Announcement::class.java, namespace, "lunch")
                .toHave("/status/readers", 1)
        assertThat(published.status).isEqualTo(AnnouncementStatus(1, 1))
    }

    @Test
    fun announcementWhenChangedIsPublishedAgain() {
        create(AnnouncementSpec(text = "Lunch is ready"))
        cluster
            .expect(ConfigMap::class.java, namespace, "lunch")
            .toHave("/data/text", "Lunch is ready")

        cluster.edit(Announcement::class.java, namespace, "lunch") {
            it.spec = it.spec.copy(footer = "Bring a plate")
        }

        cluster
            .expect(ConfigMap::class.java, namespace, "lunch")
            .toHave("/data/text", "Lunch is ready\nBring a plate")
    }

    @Test
    fun announcementWhenReadFromTheCacheIsACopyEachTime() {
        val spec = AnnouncementSpec("Lunch is ready", listOf(Reader("Ada")), Urgency.URGENT, 3)
        create(spec)
        cluster.expect(Announcement::class.java, namespace, "lunch").toHave("/status/readers", 1)
        await().until {
            client.get(Announcement::class.java, namespace, "lunch").map { it.status }.isPresent
        }

        repeat(6) {
            val announcement = read()
            assertThat(announcement.spec).isEqualTo(spec)
            assertThat(announcement.status.readers).isEqualTo(1)

            // What the type says cannot be changed can be, by Java.
            (announcement.spec.readers as MutableList<Reader>).clear()
            announcement.spec = announcement.spec.copy(text = "Lunch is over")
            announcement.status = AnnouncementStatus(7, 7)
            announcement.metadata.labels = mapOf("seen" to "yes")
        }
    }

    @Test
    fun announcementWhenReadByTheClientOfFabric8IsThatOfTheConstructor() {
        val spec = AnnouncementSpec("Lunch is ready", listOf(Reader("Ada", isGone = true)))
        create(spec)

        val read =
            fabric8.resources(Announcement::class.java).inNamespace(namespace).list().items.single()

        assertThat(read.spec).isEqualTo(spec)
    }

    private fun read() = client.get(Announcement::class.java, namespace, "lunch").orElseThrow()

    private fun create(spec: AnnouncementSpec) {
        val announcement = Announcement()
        announcement.metadata = ObjectMetaBuilder().withName("lunch").build()
        announcement.spec = spec
        cluster.client().resource(announcement).inNamespace(namespace).create()
    }
}
