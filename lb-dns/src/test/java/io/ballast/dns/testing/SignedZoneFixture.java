package io.ballast.dns.testing;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.dnssec.key.KeyDirectory;
import io.ballast.dns.dnssec.key.ManagedKey;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ZoneInputs;
import io.ballast.dns.zone.signing.SigningSetup;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.xbill.DNS.dnssec.ValidatingResolver;

/** Signed zones with a manual clock, which tests query through dnsjava's validator. */
public final class SignedZoneFixture implements AutoCloseable {

    private final ManualScheduler scheduler;
    private final Path dataDir;
    private final Clock clock;
    private final ZoneInputs inputs;
    private CompiledZones zones;
    private AnswererClient client;

    /** Compiles the zones of {@code config} with their keys in {@code dataDir}. */
    public SignedZoneFixture(ZoneFixture fixture, DnsConfig config, Path dataDir, ManualScheduler scheduler)
            throws IOException {
        this(fixture, config, dataDir, scheduler, scheduler::nanoTime);
    }

    /** @param nanoTime clock that measures the duration of signing */
    public SignedZoneFixture(
            ZoneFixture fixture, DnsConfig config, Path dataDir, ManualScheduler scheduler, LongSupplier nanoTime)
            throws IOException {
        this(fixture, config, dataDir, scheduler, scheduler.clock(), nanoTime, Runnable::run);
    }

    /** Compiles the zones of {@code config}. */
    public SignedZoneFixture(
            ZoneFixture fixture,
            DnsConfig config,
            Path dataDir,
            ManualScheduler scheduler,
            Clock clock,
            LongSupplier nanoTime,
            Executor signer)
            throws IOException {
        this.scheduler = scheduler;
        this.dataDir = dataDir;
        this.clock = clock;
        ControlPlane control = new ControlPlane(scheduler, clock);
        this.inputs = new ZoneInputs(fixture.topology(), Optional.empty(), nanoTime);
        this.zones = CompiledZones.start(config, inputs, new SigningSetup(dataDir, control, signer));
        this.client = new AnswererClient(zones);
    }

    public void advance(Duration by) {
        scheduler.advance(by);
    }

    /** Replaces the zones by those of another configuration. */
    public void reload(DnsConfig next) throws IOException {
        CompiledZones zonesOfNext = zones.next(next, inputs);
        if (zonesOfNext != zones) {
            zonesOfNext.begin();
            zones = zonesOfNext;
            client = new AnswererClient(zones);
        }
    }

    /** The active zones. */
    public CompiledZones zones() {
        return zones;
    }

    public AnswererClient client() {
        return client;
    }

    /** Returns the key tags of all keys of a zone that have files, oldest first. */
    public List<Integer> keyTags(String zone) throws IOException {
        return new KeyDirectory(dataDir, zone)
                .load().stream().map(key -> key.key().tag()).toList();
    }

    /** Returns the DS records of the keys with these tags. */
    public String ds(String zone, List<Integer> tags) throws IOException {
        return new KeyDirectory(dataDir, zone)
                .load().stream()
                        .map(ManagedKey::key)
                        .filter(key -> tags.contains(key.tag()))
                        .map(key -> key.dsText(zone, 3600) + "\n")
                        .collect(Collectors.joining());
    }

    /** Returns a validator that trusts only these DS records. */
    public ValidatingResolver validator(String anchors) throws IOException {
        ValidatingResolver validator = new ValidatingResolver(new AnswererResolver(() -> client), clock);
        validator.loadTrustAnchors(new ByteArrayInputStream(anchors.getBytes(StandardCharsets.US_ASCII)));
        validator.setTimeout(Duration.ofSeconds(30));
        return validator;
    }

    @Override
    public void close() {
        zones.close();
    }
}
