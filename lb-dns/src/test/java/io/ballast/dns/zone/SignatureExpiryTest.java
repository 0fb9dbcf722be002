package io.ballast.dns.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.zone.contents.SignatureTimes;
import io.ballast.dns.zone.contents.ZoneContents;
import io.ballast.dns.zone.signing.SigningSetup;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

class SignatureExpiryTest {

    private static final Duration VALIDITY = Duration.ofDays(16);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Instant start = scheduler.clock().instant();
    private final List<String> notified = new ArrayList<>();
    private final SignatureExpiry.Listener listener = new SignatureExpiry.Listener() {
        @Override
        public void expiresSoon(Name zone, Instant at) {
            notified.add("soon " + zone + " " + Duration.between(start, at).toHours());
        }

        @Override
        public void hasExpired(Name zone, Instant at) {
            notified.add("expired " + zone + " " + Duration.between(start, at).toHours());
        }
    };

    private static Record signature(String owner, int covered, Instant inception, Instant expiration) {
        Name apex = Messages.name("example.com");
        return new RRSIGRecord(
                Messages.name(owner),
                DClass.IN,
                300,
                covered,
                /* alg= */ 13,
                /* origttl= */ 300,
                expiration,
                inception,
                /* footprint= */ 1,
                apex,
                new byte[64]);
    }

    private ZoneContents zone(Duration... ends) {
        List<Record> records = new ArrayList<>();
        records.add(Messages.record("example.com. 300 IN SOA ns1.example.com. host.example.com. 1 2 3 4 5"));
        for (Duration end : ends) {
            Instant expiration = start.plus(end);
            records.add(signature("example.com", Type.SOA, expiration.minus(VALIDITY), expiration));
        }
        return ZoneContents.of(Messages.name("example.com"), records);
    }

    private SignatureExpiry start(ZoneContents contents, @Nullable SignatureExpiry before) {
        SigningSetup setup =
                new SigningSetup(Path.of("unused"), new ControlPlane(scheduler, scheduler.clock()), Runnable::run);
        return SignatureExpiry.start(setup, List.of(contents), before, listener);
    }

    @Test
    void earliestExpiryCounts() {
        SignatureTimes times = SignatureTimes.of(zone(Duration.ofDays(12), Duration.ofDays(10)), start);

        assertThat(times.expiration()).isEqualTo(start.plus(Duration.ofDays(10)).truncatedTo(ChronoUnit.SECONDS));
        assertThat(Duration.between(times.warning(), times.expiration())).isEqualTo(VALIDITY.dividedBy(8));
    }

    @Test
    void warnsOnceBeforeAndAfterExpiry() {
        start(zone(Duration.ofDays(10)), /* before= */ null);
        scheduler.advance(Duration.ofDays(8).minusHours(2));
        assertThat(notified).isEmpty();

        scheduler.advance(Duration.ofDays(1));
        assertThat(notified).containsExactly("soon example.com. 240");

        scheduler.advance(Duration.ofDays(5));
        assertThat(notified).containsExactly("soon example.com. 240", "expired example.com. 240");
    }

    @Test
    void replacedZonesAreNotWarnedAgain() {
        ZoneContents contents = zone(Duration.ofDays(1));
        SignatureExpiry first = start(contents, /* before= */ null);
        first.close();
        start(contents, first);
        scheduler.advance(Duration.ofHours(5));

        assertThat(notified).containsExactly("soon example.com. 24");
    }

    @Test
    void renewedVersionHasNoWarning() {
        SignatureExpiry first = start(zone(Duration.ofDays(10)), /* before= */ null);
        first.close();
        start(zone(Duration.ofDays(40)), first);
        scheduler.advance(Duration.ofDays(20));

        assertThat(notified).isEmpty();
    }

    @Test
    void unsignedZoneIsIgnored() {
        start(zone(), /* before= */ null);
        scheduler.advance(Duration.ofDays(20));

        assertThat(notified).isEmpty();
        assertThat(Stream.of(zone()).noneMatch(ZoneContents::hasSignatures)).isTrue();
    }
}
