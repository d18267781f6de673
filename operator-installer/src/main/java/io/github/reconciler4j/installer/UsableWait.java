package io.github.reconciler4j.installer;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.support.Backoff;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for definitions after they were installed. Used by the thread that starts the installer. */
final class UsableWait {

    private static final Logger LOG = LoggerFactory.getLogger(CrdInstaller.class);

    /** After so many looks at a definition that is not usable, log and health say so. */
    private static final int MANY_LOOKS = 3;

    /** How often a start applies a definition again that others change. */
    private static final int RESTORES = 3;

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int INTERNAL_ERROR = 500;

    private final CrdInstaller installer;
    private final CrdInstaller.Pace pace;

    private int restored;

    /** What the start waits for, from the third look on. */
    private volatile String waitsFor = "";

    UsableWait(CrdInstaller installer, CrdInstaller.Pace pace) {
        this.installer = installer;
        this.pace = pace;
    }

    String reason() {
        return waitsFor;
    }

    /** Waits until a definition is usable, in intervals that grow. */
    void await(CustomResourceDefinition definition, long end) throws ComponentNotReadyException, InterruptedException {
        Backoff looks = Backoff.of(pace.poll(), pace.slowest());
        restored = 0;
        try {
            int look = 0;
            String reason;
            do {
                reason = look(definition);
                if (reason.isEmpty()) {
                    usable(definition);
                    return;
                }
                notUsableYet(definition, ++look, reason);
                installer.requests().sleep(looks.delay(look));
            } while (installer.time().nanoTime() - end < 0);
            throw new ComponentNotReadyException("the definition " + DefinitionState.name(definition)
                    + " is not usable after " + installer.options().timeout() + ": " + reason);
        } finally {
            waitsFor = "";
        }
    }

    /** Returns why a definition is not usable yet. What an API server answers that is overloaded or restarts says nothing about it. */
    private String look(CustomResourceDefinition definition) throws ComponentNotReadyException {
        try {
            CustomResourceDefinition live = installer.read(definition).orElse(null);
            if (live == null) {
                installer.install(definition);
                return "it was deleted and is installed again";
            }
            if (!DefinitionState.isDeleted(live) && installer.isChanged(definition, live) && restored++ < RESTORES) {
                installer.install(definition);
                return "it was changed by others and is applied again";
            }
            return notUsable(definition, live);
        } catch (ApiException e) {
            if (!isTransient(e)) {
                throw e;
            }
            return "the API server does not say whether it is established: " + e.getMessage();
        }
    }

    private void notUsableYet(CustomResourceDefinition definition, int look, String reason) {
        if (look >= MANY_LOOKS) {
            waitsFor = "the definition " + DefinitionState.name(definition) + " is not usable yet: " + reason;
        }
        if (look == MANY_LOOKS) {
            LOG.warn(
                    "{} is not usable yet, looking again every few seconds: {}",
                    DefinitionState.name(definition),
                    reason);
        }
    }

    private void usable(CustomResourceDefinition definition) {
        if (!waitsFor.isEmpty()) {
            LOG.info("{} is usable now", DefinitionState.name(definition));
        }
    }

    private static boolean isTransient(ApiException failure) {
        return failure instanceof ConnectionException
                || failure.code() == TOO_MANY_REQUESTS
                || failure.code() >= INTERNAL_ERROR;
    }

    /** Returns why a definition is not usable yet, empty if it is. Checks the versions that the operator uses. */
    private String notUsable(CustomResourceDefinition definition, CustomResourceDefinition live)
            throws ComponentNotReadyException {
        if (DefinitionState.isDeleted(live)) {
            throw CrdInstaller.beingDeleted(live);
        }
        String reason = DefinitionState.notEstablished(live);
        if (!reason.isEmpty()) {
            return reason;
        }
        if (installer.isNewer(live)) {
            String unserved = DefinitionState.unservedVersion(definition, live);
            if (!unserved.isEmpty()) {
                throw new ComponentNotReadyException("the definition " + DefinitionState.name(definition)
                        + ", applied by version '"
                        + DefinitionState.annotation(live, CrdInstaller.VERSION_ANNOTATION)
                        + "' of the operator, no longer serves "
                        + unserved + ", which this version needs: upgrade this replica");
            }
        } else if (installer.isChanged(definition, live)) {
            throw CrdInstaller.changedByOthers(definition, DefinitionState.changedVersions(definition, live));
        }
        return notDiscovered(definition);
    }

    private String notDiscovered(CustomResourceDefinition definition) {
        return definition.getSpec().getVersions().stream()
                .filter(version -> Boolean.TRUE.equals(version.getServed()))
                .map(version -> KindName.of(
                        definition.getSpec().getGroup() + "/" + version.getName(),
                        definition.getSpec().getNames().getKind()))
                .filter(this::isMissing)
                .findFirst()
                .map(kind -> kind + " is not served yet")
                .orElse("");
    }

    /** Discovery sends requests of its own: one for a version that is found, and again for each that is missing. */
    private boolean isMissing(KindName kind) {
        boolean missing = true;
        try {
            missing = installer.client().discovery().find(kind).isEmpty();
        } finally {
            if (missing) {
                installer.requests().charge();
            }
        }
        return missing;
    }
}
