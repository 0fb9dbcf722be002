package io.ballast.dns;

import io.ballast.core.config.DnsConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.dns.control.ControlHandler;
import io.ballast.dns.secondary.Notifications;
import io.ballast.dns.secondary.PreparedZones;
import io.ballast.dns.secondary.SecondarySetup;
import io.ballast.dns.secondary.SecondaryZones;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** The zones of a frontend that come from other servers. Thread safety: as that of {@link SecondaryZones}. */
final class SecondaryPart {

    private final ControlPlane control;
    private final SecondaryZones zones;
    private final PreparedZones first;

    private SecondaryPart(ControlPlane control, SecondaryZones zones, PreparedZones first) {
        this.control = control;
        this.zones = zones;
        this.first = first;
    }

    /**
     * Reads what is kept of the zones of the first configuration.
     *
     * @throws IOException if the file of a key cannot be used; the message names it
     */
    static SecondaryPart prepare(SecondarySetup setup, DnsConfig config) throws IOException {
        SecondaryZones zones = new SecondaryZones(setup);
        return new SecondaryPart(setup.control(), zones, zones.prepare(config));
    }

    /** The first configuration, as it can be served. */
    DnsConfig first() {
        return first.config();
    }

    /** The first configuration is in force; what comes from now on is taken up by {@code frontend}. */
    void commit(Consumer<SecondaryPart> frontend) {
        zones.commit(first);
        zones.onChange(() -> frontend.accept(this));
    }

    SecondaryZones zones() {
        return zones;
    }

    ControlHandler notifications() {
        return new Notifications(zones);
    }

    /** Runs a task on the control plane and waits for its end. */
    void onControl(Runnable task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        control.execute(() -> {
            try {
                task.run();
                done.complete(null);
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
                throw e;
            }
        });
        try {
            done.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the process ends
        } catch (ExecutionException e) {
            throw new IllegalStateException("zones are in force in part", e);
        }
    }
}
