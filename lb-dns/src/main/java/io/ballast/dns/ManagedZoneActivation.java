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
 * Activates changed content of managed zones: transferred versions and dynamic updates. Called on the thread
 * that applies configuration changes, while no such change is prepared.
 */
final class ManagedZoneActivation implements Updates.Served {

    private final ConfigChanges changes;
    private final ManagedZones managedZones;

    ManagedZoneActivation(ConfigChanges changes, ManagedZones managedZones) {
        this.changes = changes;
        this.managedZones = managedZones;
    }

    @Override
    public Optional<ZoneContents> contents(Name apex) {
        return changes.zones().contents(apex);
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
        changes.begin();
        CompiledZones nextZones = changes.zones();
        try {
            CompiledZones before = nextZones;
            ManagedZones.Prepared prepared = managedZones.prepareAgain(changes.config(), isMerged);
            nextZones = isMerged
                    ? before.next(prepared.config(), before.inputs())
                    : before.nextWithChangedFiles(
                            prepared.config(), new ManagedZoneChanges(prepared.changed(), contents));
            CompiledZones ready = nextZones;
            ControlPart.Prepared controlling = changes.prepareControl(prepared.config(), ready);
            managedZones.runOnControlPlane(() -> {
                changes.activate(ready, controlling);
                managedZones.commit(prepared);
            });
            changes.end();
        } catch (IOException | RuntimeException | Error e) {
            changes.abandon(nextZones);
            throw e;
        }
    }
}
