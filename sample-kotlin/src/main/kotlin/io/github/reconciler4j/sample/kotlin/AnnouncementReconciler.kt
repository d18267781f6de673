package io.github.reconciler4j.sample.kotlin

import io.fabric8.kubernetes.api.model.ConfigMap
import io.fabric8.kubernetes.api.model.ConfigMapBuilder
import io.github.reconciler4j.client.Client
import io.github.reconciler4j.client.OwnerReferences
import io.github.reconciler4j.reconcile.ObjectReconciler
import io.github.reconciler4j.reconcile.ReconcileContext
import io.github.reconciler4j.reconcile.Result
import io.github.reconciler4j.spring.Permission
import io.github.reconciler4j.spring.Reconciler

/** Publishes each announcement in a ConfigMap of the same name. */
@Reconciler(
    owns = [ConfigMap::class],
    permissions =
        [
            Permission(resources = ["configmaps"], verbs = ["get", "create", "patch"]),
            Permission(
                group = "sample.reconciler4j.io",
                resources = ["announcements/status"],
                verbs = ["patch"],
            ),
        ],
)
class AnnouncementReconciler(private val client: Client) : ObjectReconciler<Announcement> {

    override fun reconcile(announcement: Announcement, context: ReconcileContext): Result {
        val readers = announcement.spec.readers.filterNot { it.isGone }
        client.apply(page(announcement, readers))
        client.status().edit(announcement) {
            it.status = AnnouncementStatus(readers.size, it.metadata.generation)
        }
        return Result.done()
    }

    private fun page(announcement: Announcement, readers: List<Reader>): ConfigMap {
        val spec = announcement.spec
        val page =
            ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(announcement.metadata.namespace)
                .withName(announcement.metadata.name)
                .addToLabels("urgency", spec.urgency.name.lowercase())
                .endMetadata()
                .addToData("readers", readers.joinToString { it.name })
                .addToData("text", listOfNotNull(spec.text, spec.footer).joinToString("\n"))
                .build()
        OwnerReferences.setController(page, announcement)
        return page
    }
}
