package io.ballast.dns;

import io.ballast.core.pool.Topology;
import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.AnswerConfig;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.follow.AliasResolver;
import io.ballast.dns.net.stream.StreamLoops;
import io.ballast.dns.protect.Protection;
import io.ballast.dns.querylog.QueryLog;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ZoneInputs;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The active configuration and zones of a frontend, and their changes. Only one change can be in progress:
 * it must be committed or abandoned before the next one begins.
 *
 * <p>Thread safety: changes are prepared on any thread, and committed on the control plane; any thread may
 * read the active configuration and zones.
 */
final class ConfigChanges {

    /**
     * Maximum wait for alias targets; afterwards, queries for a service with an unresolved alias target are answered
     * with SERVFAIL.
     */
    static final Duration MAX_WAIT_FOR_ALIASES = Duration.ofSeconds(3);

    private final ActiveAnswerConfig active;
    private final AliasResolver aliasResolver;
    private final ForwardPart forward;
    private final ControlPart control;
    private final QueryLog queryLog;
    private final DnsListeners listeners;
    private final StreamLoops streams;
    private final @Nullable ManagedZones managedZones;
    private final AtomicBoolean changing = new AtomicBoolean();
    private volatile DnsConfig config;
    private volatile CompiledZones zones;

    /**
     * The prepared parts of a new configuration.
     *
     * @param managedZones managed zones; null if the frontend has no data directory
     * @param zones the next zones; the same object as the active zones if no zone changes
     */
    private record PreparedParts(
            DnsConfig config,
            ZoneInputs inputs,
            ManagedZones.@Nullable Prepared managedZones,
            CompiledZones zones,
            AnswerConfig answers,
            ForwardPart.Prepared forwarding,
            QueryLog.Prepared logging,
            ControlPart.Prepared controlling,
            ListenersChange listeners) {}

    /**
     * @param config the first configuration
     * @param zones the compiled zones of this configuration
     * @param kept the managed zones; null if the frontend has no data directory
     */
    ConfigChanges(
            DnsConfig config,
            CompiledZones zones,
            ActiveAnswerConfig active,
            AliasResolver followed,
            ForwardPart forward,
            ControlPart control,
            QueryLog queryLog,
            DnsListeners listeners,
            StreamLoops streams,
            @Nullable ManagedZones kept) {
        this.config = config;
        this.zones = zones;
        this.active = active;
        this.aliasResolver = followed;
        this.forward = forward;
        this.control = control;
        this.queryLog = queryLog;
        this.listeners = listeners;
        this.streams = streams;
        this.managedZones = kept;
    }

    /** The configuration of the last committed change. */
    DnsConfig config() {
        return config;
    }

    /** The served zones. */
    CompiledZones zones() {
        return zones;
    }

    /** Activates all parts of the first configuration except the listeners. */
    void activateFirst() throws IOException {
        Topology pools = zones.inputs().topology();
        ForwardPart.Prepared prepared = forward.prepare(config, pools);
        AnswerConfig present = active.current();
        ControlPart.Prepared controlling = control.prepare(config, zones, pools);
        active.activate(
                new AnswerConfig(present.answers(), present.settings(), prepared.source(), controlling.messages()));
        control.commit(controlling);
        forward.commit(prepared);
        queryLog.commit(
                queryLog.prepare(ConfigParts.logging(config), config.forward().isPresent()));
    }

    /**
     * Prepares another configuration, see {@link DnsFrontend#prepare}.
     *
     * @param warnings warnings for the operator; the prepared change returns them
     */
    DnsChange prepare(DnsConfig next, ZoneInputs inputs, List<String> warnings) throws IOException {
        begin();
        CompiledZones before = zones;
        CompiledZones nextZones = before;
        ForwardPart.Prepared forwarding = ForwardPart.Prepared.NONE;
        QueryLog.Prepared logging = null;
        try {
            ManagedZones.Prepared keeping = managedZones == null ? null : managedZones.prepare(next);
            ZoneInputs around = inputs.withAliasAddresses(aliasResolver);
            aliasResolver.followAlso(next.aliases(), MAX_WAIT_FOR_ALIASES);
            nextZones = before.next(keeping == null ? next : keeping.config(), around);
            Protection protection =
                    active.current().settings().protection().withConfig(next.cookies(), next.rateLimit());
            forwarding = forward.prepare(next, inputs.topology());
            ControlPart.Prepared controlling = control.prepare(next, nextZones, inputs.topology());
            AnswerConfig answers = new AnswerConfig(
                    nextZones.published(),
                    ConfigParts.answering(next, protection),
                    forwarding.source(),
                    controlling.messages());
            logging = queryLog.prepare(ConfigParts.logging(next), next.forward().isPresent());
            PreparedParts parts = new PreparedParts(
                    next,
                    around,
                    keeping,
                    nextZones,
                    answers,
                    forwarding,
                    logging,
                    controlling,
                    listeners.prepare(next.listeners()));
            return new Change(parts, List.copyOf(warnings));
        } catch (IOException | RuntimeException | Error e) {
            if (logging != null) {
                queryLog.abandon(logging);
            }
            forward.abandon(forwarding);
            abandon(nextZones);
            throw e;
        }
    }

    /**
     * Starts a change. The change ends when it is committed, or when {@link #end} or {@link #abandon} is called.
     *
     * @throws IllegalStateException if another change is in progress
     */
    void begin() {
        if (!changing.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
            throw new IllegalStateException("the previous change is neither committed nor closed");
        }
    }

    /** Prepares the handler of control messages for new zone content. The rest of the configuration stays active. */
    ControlPart.Prepared prepareControl(DnsConfig next, CompiledZones ready) {
        return control.prepareContent(next, ready, zones.inputs().topology());
    }

    /** Activates new zone content. The rest of the configuration stays active. Called on the control plane's thread. */
    void activate(CompiledZones ready, ControlPart.Prepared controlling) {
        active.activate(active.current().with(ready.published(), controlling.messages()));
        control.commit(controlling);
        if (ready != zones) {
            zones = ready;
            ready.begin();
        }
    }

    void end() {
        changing.set(false);
    }

    /** Discards a change and closes its zones. */
    void abandon(CompiledZones prepared) {
        if (prepared != zones) {
            prepared.close();
        }
        aliasResolver.follow(config.aliases());
        changing.set(false);
    }

    private void commit(PreparedParts parts) {
        active.activate(parts.answers());
        forward.commit(parts.forwarding());
        queryLog.commit(parts.logging());
        control.commit(parts.controlling());
        config = parts.config();
        aliasResolver.follow(config.aliases());
        if (parts.zones() != zones) {
            zones = parts.zones();
            zones.begin();
        } else {
            zones.replaceInputs(parts.inputs());
        }
        if (managedZones != null && parts.managedZones() != null) {
            managedZones.commit(parts.managedZones());
        }
        streams.limits(config.tcp());
        parts.listeners().commit();
        changing.set(false);
    }

    private void abandon(PreparedParts parts) {
        parts.listeners().close();
        queryLog.abandon(parts.logging());
        forward.abandon(parts.forwarding());
        abandon(parts.zones());
    }

    /** A prepared change of the DNS configuration. */
    private final class Change implements DnsChange {

        private final PreparedParts parts;
        private final List<String> warnings;
        private boolean done;

        Change(PreparedParts parts, List<String> warnings) {
            this.parts = parts;
            this.warnings = warnings;
        }

        @Override
        public List<String> warnings() {
            return warnings;
        }

        @Override
        public boolean hasOtherZones() {
            return parts.zones() != zones;
        }

        @Override
        public void commit() {
            done = true;
            ConfigChanges.this.commit(parts);
        }

        @Override
        public void releasePrevious() {
            parts.listeners().settle();
        }

        @Override
        public void close() {
            if (!done) {
                done = true;
                abandon(parts);
            }
        }
    }
}
