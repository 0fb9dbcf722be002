package io.ballast.policy.address;

import io.ballast.core.ErrorText;
import io.ballast.core.net.Cidr;
import io.ballast.core.net.CidrSet;
import io.ballast.policy.config.address.AddressEntry;
import io.ballast.policy.config.address.LocationSet;
import io.ballast.policy.work.FileChanges;
import io.ballast.policy.work.LocationLookup;
import io.ballast.policy.work.PolicyEnvironment;
import io.ballast.policy.work.PolicyEvents;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The addresses of a list: its networks, the networks of its files, and its locations. Follows changes of the files; an
 * invalid file is reported and keeps its previous networks.
 *
 * <p>Thread safety: any thread may look up addresses. Cost: one look-up for the networks, one for each file and one for
 * all locations; allocates nothing.
 */
final class ListedAddresses implements AutoCloseable {

    private final PolicyEvents events;
    private final CidrSet networks;
    private final AtomicReferenceArray<CidrSet> files;
    private final LocationLookup locations;
    private final List<FileChanges.Watch> watches = new ArrayList<>();

    ListedAddresses(List<AddressEntry> entries, PolicyEnvironment environment) {
        List<Cidr> inline = new ArrayList<>();
        List<AddressEntry.NetworkFile> read = new ArrayList<>();
        for (AddressEntry entry : entries) {
            if (entry instanceof AddressEntry.Network network) {
                inline.add(network.cidr());
            } else if (entry instanceof AddressEntry.NetworkFile file) {
                read.add(file);
            }
        }
        this.events = environment.events();
        this.networks = CidrSet.of(inline);
        this.files = new AtomicReferenceArray<>(
                read.stream().map(AddressEntry.NetworkFile::networks).toArray(CidrSet[]::new));
        LocationSet places = LocationSet.of(entries);
        this.locations =
                places.isEmpty() ? LocationLookup.NONE : environment.locations().find(places);
        for (int i = 0; i < read.size(); i++) {
            int index = i;
            Path path = read.get(i).path();
            watches.add(environment.files().watch(path, read.get(i).state(), () -> reread(index, path)));
        }
    }

    boolean contains(byte[] address) {
        if (networks.contains(address)) {
            return true;
        }
        for (int i = 0; i < files.length(); i++) {
            if (files.get(i).contains(address)) {
                return true;
            }
        }
        return locations.contains(address);
    }

    private void reread(int index, Path path) {
        try {
            CidrSet found = NetworkListFile.read(path);
            files.set(index, found);
            events.changed(path.toString(), /* isProblem= */ false, "loaded the changed list: " + found);
        } catch (NetworkListException | RuntimeException | Error e) {
            events.changed(
                    path.toString(),
                    /* isProblem= */ true,
                    "the changed list was rejected; the previous one stays in use: " + ErrorText.of(e));
        }
    }

    /** Stops following the files. */
    @Override
    public void close() {
        watches.forEach(FileChanges.Watch::close);
    }
}
