package io.ballast.server.event;

import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.dns.follow.AliasFailureListener;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports to the timeline and the log when alias targets cannot be resolved, and when they can be resolved again. */
public record FollowedNamesEvents(ControlPlane control) implements AliasFailureListener {

    private static final Logger LOG = LoggerFactory.getLogger(FollowedNamesEvents.class);
    private static final int MAX_REPORTED = 3;

    @Override
    public void onFailing(List<String> names, String reason) {
        report(names, "not answered: " + reason);
        LOG.warn("followed=\"{}\" msg=\"cannot resolve followed names\" reason=\"{}\"", joinNames(names), reason);
    }

    @Override
    public void onRecovered(List<String> names) {
        report(names, "answered again");
        LOG.info("followed=\"{}\" msg=\"followed names can be resolved again\"", joinNames(names));
    }

    private void report(List<String> names, String text) {
        String subject = "followed " + (names.size() == 1 ? "name " : "names ") + joinNames(names);
        control.execute(() -> control.timeline().add(Origin.PASSIVE, subject, text));
    }

    private static String joinNames(List<String> names) {
        String first = String.join(", ", names.subList(0, Math.min(names.size(), MAX_REPORTED)));
        return names.size() > MAX_REPORTED ? first + " and " + (names.size() - MAX_REPORTED) + " more" : first;
    }
}
