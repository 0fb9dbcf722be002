package io.ballast.dns.zone;

import io.ballast.dns.zone.contents.SignatureTimes;
import io.ballast.dns.zone.contents.ZoneContents;
import io.ballast.dns.zone.signing.SigningSetup;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.Name;

/**
 * Warns before the signatures of presigned zones expire, and again when they have expired, because only the primary of
 * such a zone can re-sign it. Each version of a zone is checked every hour, and each warning is given once.
 *
 * <p>Thread safety: started by one thread and closed by any thread; the checks run on the signer. Cost: the signatures
 * of a version are read once.
 */
final class SignatureExpiry implements AutoCloseable {

    /** The time between two checks for signatures that expire soon. */
    static final Duration INTERVAL = Duration.ofHours(1);

    private static final Logger LOG = LoggerFactory.getLogger(SignatureExpiry.class);

    /** Receives warnings about signatures that expire soon or have expired. Called on the signer thread. */
    interface Listener {

        void expiresSoon(Name zone, Instant at);

        void hasExpired(Name zone, Instant at);
    }

    private final SigningSetup setup;
    private final Clock clock;
    private final Listener listener;
    private final Map<Name, Watched> zones = new HashMap<>();
    private volatile boolean closed;

    private static final class Watched {
        private final ZoneContents contents;
        private final SignatureTimes times;
        private boolean isWarned;
        private boolean isExpiryReported;

        Watched(ZoneContents contents, SignatureTimes times) {
            this.contents = contents;
            this.times = times;
        }
    }

    private SignatureExpiry(SigningSetup setup, Listener listener) {
        this.setup = setup;
        this.listener = listener;
        this.clock = setup.control().clock();
    }

    /**
     * Starts the checks and logs their warnings.
     *
     * @param contents contents of all zones
     * @param before checks of the replaced zones, which this call ends; null if there were none
     */
    static SignatureExpiry start(
            SigningSetup setup, Iterable<ZoneContents> contents, @Nullable SignatureExpiry before) {
        return start(setup, contents, before, new LoggingListener());
    }

    @SuppressWarnings("ReferenceEquality") // contents that were not read again are the identical object
    static SignatureExpiry start(
            SigningSetup setup, Iterable<ZoneContents> contents, @Nullable SignatureExpiry before, Listener listener) {
        SignatureExpiry next = new SignatureExpiry(setup, listener);
        List<ZoneContents> presigned = new ArrayList<>();
        for (ZoneContents each : contents) {
            if (each.hasSignatures()) {
                presigned.add(each);
            }
        }
        if (!presigned.isEmpty()) {
            setup.signer().execute(() -> {
                for (ZoneContents each : presigned) {
                    Watched known = before == null ? null : before.zones.get(each.apex());
                    boolean isSame = known != null && known.contents == each;
                    next.zones.put(
                            each.apex(),
                            known != null && isSame
                                    ? known
                                    : new Watched(each, SignatureTimes.of(each, next.clock.instant())));
                }
                next.checkExpiry();
            });
        }
        return next;
    }

    private void checkExpiry() {
        if (closed) {
            return;
        }
        Instant now = clock.instant();
        zones.values().forEach(zone -> checkExpiry(zone, now));
        setup.control().schedule(() -> setup.signer().execute(this::checkExpiry), INTERVAL);
    }

    private void checkExpiry(Watched zone, Instant now) {
        SignatureTimes times = zone.times;
        if (!now.isBefore(times.expiration())) {
            if (!zone.isExpiryReported) {
                zone.isExpiryReported = true;
                listener.hasExpired(zone.contents.apex(), times.expiration());
            }
        } else if (!now.isBefore(times.warning()) && !zone.isWarned) {
            zone.isWarned = true;
            listener.expiresSoon(zone.contents.apex(), times.expiration());
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    private static final class LoggingListener implements Listener {

        @Override
        public void expiresSoon(Name zone, Instant at) {
            LOG.warn(
                    "zone={} expires={} msg=\"a signature made by the zone's primary expires soon, and no newer"
                            + " version was transferred; once it has expired, validating resolvers reject its answers\"",
                    zone,
                    at);
        }

        @Override
        public void hasExpired(Name zone, Instant at) {
            LOG.error(
                    "zone={} expired={} msg=\"a signature made by the zone's primary has expired: validating"
                            + " resolvers reject its answers; sign the zone again, and check that transfers succeed\"",
                    zone,
                    at);
        }
    }
}
