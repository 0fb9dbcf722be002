package io.ballast.discovery.remote;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the entries that are omitted from the result of a source. The same entries are not logged again. Confined to one
 * thread.
 */
public final class SkippedEntriesLog {

    private static final Logger LOG = LoggerFactory.getLogger(SkippedEntriesLog.class);

    private final String source;
    private List<String> last = List.of();

    /** @param source the name of the source in the log */
    public SkippedEntriesLog(String source) {
        this.source = source;
    }

    /** Logs the entries that are omitted from a result, if they changed. */
    public void logOmitted(BackendSet backends) {
        List<String> now = backends.omitted();
        if (!now.isEmpty() && !now.equals(last)) {
            LOG.warn("source={} msg=\"entries of the source are ignored\" what={}", source, now);
        }
        last = now;
    }
}
