package io.ballast.dns;

import io.ballast.dns.update.Updates;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ManagedZoneChanges;
import io.ballast.dns.zone.contents.ZoneContents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import org.xbill.DNS.Name;

/**
 * Activates changed content of managed zones: transferred versions and dynamic updates. Called on the thread that makes
 * changes, while no change of the configuration is prepared.
 */
final class ManagedZoneActivation implements Updates.Served {

    private final DnsFrontend frontend;
    private final ManagedZones managedZones;

    ManagedZoneActivation(DnsFrontend frontend, ManagedZones managedZones) {
        this.frontend = frontend;
        this.managedZones = managedZones;
    }

    @Override
    public Optional<ZoneContents> contents(Name apex) {
        return frontend.zones().contents(apex);
    }

    @Override
    public void activateAll() throws IOException {
        activate(/* isMerged= */ true, Map.of());
    }

    @Override
    public void activateContents(String zone, ZoneContents contents) throws IOException {
        activate(/* isMerged= */ false, Map.of(zone, contents));
    }

    /** Activates new versions of secondary zones from their files. */
    void activateSecondaries() {
        try {
            activate(/* isMerged= */ false, Map.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void activate(boolean isMerged, Map<String, ZoneContents> contents) throws IOException {
        frontend.beginChange();
        CompiledZones nextZones = frontend.zones();
        try {
            CompiledZones before = nextZones;
            ManagedZones.Prepared prepared =
                    isMerged ? managedZones.prepare(frontend.config()) : managedZones.prepareAgain(frontend.config());
            nextZones = isMerged
                    ? before.next(prepared.config(), before.inputs())
                    : before.nextWithChangedFiles(
                            prepared.config(), new ManagedZoneChanges(prepared.changed(), contents));
            CompiledZones ready = nextZones;
            ControlPart.Prepared controlling = frontend.prepareControl(prepared.config(), ready);
            managedZones.runOnControlPlane(() -> {
                frontend.activate(ready, controlling);
                managedZones.commit(prepared);
            });
            frontend.endChange();
        } catch (IOException | RuntimeException | Error e) {
            frontend.abandon(nextZones);
            throw e;
        }
    }
}
