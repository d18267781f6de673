package io.github.reconciler4j.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of an operator with their names and keys.
 *
 * @since 0.1.0
 */
public enum OperatorObservation implements ObservationDocumentation {

    /** One call of a reconciler, from the moment a worker takes the request until its next attempt is decided. */
    RECONCILE {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultReconcileObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return ReconcileKeys.values();
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return ReconcileDetails.values();
        }
    },

    /**
     * One request to the API server with its retries, as a child of the observation that is current on the thread. Requests
     * outside of any observation, those of caches, leases and events are not observed.
     */
    API_REQUEST {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultApiRequestObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return ApiRequestKeys.values();
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return ApiRequestDetails.values();
        }
    };

    @Override
    public String getPrefix() {
        return "reconciler4j";
    }

    /**
     * The low cardinality keys of {@link #RECONCILE}.
     *
     * @since 0.1.0
     */
    public enum ReconcileKeys implements KeyName {
        /** The name of the controller. */
        CONTROLLER("controller"),
        /** The name of the cluster of the request; {@code home} for the home cluster. */
        CLUSTER("cluster"),
        /** The kind of the controller, for example {@code Deployment.v1.apps}; {@code none} if it is not for one kind. */
        KIND("kind"),
        /** The outcome: {@code success}, {@code requeue}, {@code requeue_after}, {@code error} or {@code stopped}. */
        OUTCOME("outcome"),
        /**
         * The change that led to the call, the first one of several: {@code initial}, {@code created}, {@code updated},
         * {@code deleted}, {@code resync} or {@code external}; {@code retry} for an attempt after the first, and {@code none}
         * if the reconciler asked for the call.
         */
        TRIGGER("trigger");

        private final String key;

        ReconcileKeys(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }

    /**
     * The high cardinality keys of {@link #RECONCILE}.
     *
     * @since 0.1.0
     */
    public enum ReconcileDetails implements KeyName {
        /** The namespace of the request. */
        NAMESPACE("namespace"),
        /** The name of the request. */
        NAME("name"),
        /** The id of the reconciliation, as in logs and in the annotation of events. */
        RECONCILE_ID("reconcile.id"),
        /** The number of the attempt. */
        ATTEMPT("attempt"),
        /** The changes that led to the call. */
        TRIGGERS("triggers"),
        /** How long the request was ready in the queue, in milliseconds. */
        QUEUE_WAIT("queue.wait.ms");

        private final String key;

        ReconcileDetails(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }

    /**
     * The low cardinality keys of {@link #API_REQUEST}.
     *
     * @since 0.1.0
     */
    public enum ApiRequestKeys implements KeyName {
        /** The name of the cluster to which the request is sent; {@code home} for the home cluster. */
        CLUSTER("cluster"),
        /** The verb: {@code get}, {@code list}, {@code create}, {@code update}, {@code patch}, {@code apply} ... */
        VERB("verb"),
        /** The kind, for example {@code Deployment.v1.apps}. */
        KIND("kind"),
        /** The subresource, {@code none} for the object itself. */
        SUBRESOURCE("subresource"),
        /** The HTTP status, {@code none} without a response. */
        STATUS("status");

        private final String key;

        ApiRequestKeys(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }

    /**
     * The high cardinality keys of {@link #API_REQUEST}.
     *
     * @since 0.1.0
     */
    public enum ApiRequestDetails implements KeyName {
        /** The namespace of the object, {@code none} without one. */
        NAMESPACE("namespace"),
        /** The name of the object, {@code none} for lists. */
        NAME("name"),
        /** The path of the request. */
        PATH("url.path");

        private final String key;

        ApiRequestDetails(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }
}
