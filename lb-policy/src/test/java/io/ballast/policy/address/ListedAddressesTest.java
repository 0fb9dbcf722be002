package io.ballast.policy.address;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.FileState;
import io.ballast.core.net.Cidr;
import io.ballast.policy.config.address.AddressEntry;
import io.ballast.policy.config.address.AddressEntry.Location;
import io.ballast.policy.config.address.AddressEntry.Network;
import io.ballast.policy.config.address.AddressEntry.NetworkFile;
import io.ballast.policy.config.address.LocationSet;
import io.ballast.policy.testing.TestPolicies;
import io.ballast.policy.work.PolicyEvents;
import io.ballast.policy.work.PolicyLocations;
import io.ballast.policy.work.PolicyServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListedAddressesTest {

    private static final byte[] FIRST = {(byte) 192, 0, 2, 1};
    private static final byte[] SECOND = {(byte) 192, 0, 2, 2};

    @TempDir
    private Path directory;

    private final TestPolicies setup = new TestPolicies();
    private final List<String> events = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        setup.close();
    }

    @Test
    void containsNetworksOfAllEntries() throws IOException {
        AddressEntry second = entry(write("192.0.2.2\n"));
        AddressEntry first = entry(write("192.0.2.1\n"));
        try (ListedAddresses listed = listed(List.of(new Network(Cidr.parse("198.51.100.0/24")), second, first))) {
            assertThat(listed.contains(new byte[] {(byte) 198, 51, 100, 9})).isTrue();
            assertThat(listed.contains(FIRST)).isTrue();
            assertThat(listed.contains(SECOND)).isTrue();
            assertThat(listed.contains(new byte[] {(byte) 192, 0, 2, 3})).isFalse();
            assertThat(listed.contains(new byte[16])).isFalse();
        }
    }

    @Test
    void changedFileTakesEffectWhenStable() throws IOException {
        Path file = write("192.0.2.1\n");
        try (ListedAddresses listed = listed(List.of(entry(file)))) {
            write("192.0.2.2\n2001:db8::/32\n");
            checkTwice();

            assertThat(listed.contains(FIRST)).isFalse();
            assertThat(listed.contains(SECOND)).isTrue();
            assertThat(events).containsExactly(file + ": loaded the changed list: 2 networks");
        }
    }

    @Test
    void invalidFileIsReportedOnceAndKeepsThePreviousList() throws IOException {
        Path file = write("192.0.2.1\n");
        try (ListedAddresses listed = listed(List.of(entry(file)))) {
            write("192.0.2.2\nwrong line\n");
            checkTwice();
            checkTwice();

            assertThat(listed.contains(FIRST)).isTrue();
            assertThat(listed.contains(SECOND)).isFalse();
            assertThat(events)
                    .containsExactly("problem with " + file
                            + ": the changed list was rejected; the previous one stays in use: " + file
                            + ":2: cidr: wrong line (expected: a network such as 192.0.2.0/24 or 2001:db8::/32, or one"
                            + " address)");

            Files.delete(file);
            checkTwice();
            assertThat(listed.contains(FIRST)).isTrue();
            assertThat(events).hasSize(2);

            write("192.0.2.2\n");
            checkTwice();
            assertThat(listed.contains(SECOND)).isTrue();
        }
    }

    @Test
    void closedListDoesNotFollowItsFiles() throws IOException {
        ListedAddresses listed = listed(List.of(entry(write("192.0.2.1\n"))));
        listed.close();
        write("192.0.2.2 # changed\n");
        checkTwice();

        assertThat(listed.contains(FIRST)).isTrue();
        assertThat(events).isEmpty();
    }

    @Test
    void locationsOfAllEntriesAreLookedUpTogether() {
        PolicyLocations locations = set -> {
            assertThat(set).isEqualTo(new LocationSet(List.of("DE", "FR"), List.of(64496L)));
            return address -> address[3] == 1;
        };
        List<AddressEntry> entries = List.of(
                new Location(List.of("FR", "DE"), List.of()),
                new Location(List.of("DE"), List.of()),
                new Location(List.of(), List.of(64496L)));
        try (ListedAddresses listed = new ListedAddresses(entries, setup.environment(services(locations)))) {
            assertThat(listed.contains(FIRST)).isTrue();
            assertThat(listed.contains(SECOND)).isFalse();
        }
    }

    private ListedAddresses listed(List<AddressEntry> entries) {
        return new ListedAddresses(entries, setup.environment(services(PolicyLocations.NONE)));
    }

    private PolicyServices services(PolicyLocations locations) {
        return PolicyServices.NONE.with((PolicyEvents) this::record).with(locations);
    }

    private void record(String subject, boolean isProblem, String text) {
        events.add((isProblem ? "problem with " : "") + subject + ": " + text);
    }

    private void checkTwice() {
        setup.files().checkAll();
        setup.files().checkAll();
    }

    private AddressEntry entry(Path file) throws IOException {
        return new NetworkFile(file, FileState.of(file), NetworkListFile.read(file));
    }

    /** Replaces the file with a new one, as tools that generate lists do. */
    private Path write(String text) throws IOException {
        Path file = directory.resolve("list.txt");
        Path fresh = Files.writeString(directory.resolve("fresh.txt"), text);
        return Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
