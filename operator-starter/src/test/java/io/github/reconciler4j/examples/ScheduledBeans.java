package io.github.reconciler4j.examples;

import io.github.reconciler4j.spring.OnLeader;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** A method that runs on the leader at times. */
class ScheduledBeans {

    @Component
    static class Report {

        @OnLeader
        @Scheduled(cron = "0 0 6 * * *")
        void send() {}
    }
}
