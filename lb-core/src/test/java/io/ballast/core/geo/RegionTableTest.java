package io.ballast.core.geo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegionTableTest {

    private static final int DEFAULT = 7;

    @Test
    void emptyTableReturnsDefaultRegion() {
        RegionTable table = table();

        assertFound(table, "192.0.2.1", DEFAULT, 0);
        assertFound(table, "2001:db8::1", DEFAULT, 0);
        assertThat(table.ranges()).isEqualTo(2);
    }

    @Test
    void longestPrefixWins() {
        RegionTable table = table("192.0.2.0/24 1", "192.0.2.128/25 2", "192.0.2.128/32 3", "2001:db8::/32 4");

        assertFound(table, "192.0.2.127", 1, 25);
        assertFound(table, "192.0.2.128", 3, 32);
        assertFound(table, "192.0.2.129", 2, 32);
        assertFound(table, "192.0.2.255", 2, 26);
        assertFound(table, "192.0.3.0", DEFAULT, 24);
        assertFound(table, "2001:db8:ffff::1", 4, 32);
        assertFound(table, "2001:db9::", DEFAULT, 32);
    }

    @Test
    void mergesAdjacentNetworksOfSameRegion() {
        RegionTable table =
                table("198.51.100.0/25 1", "198.51.100.128/26 1", "198.51.100.192/26 1", "198.51.101.0/24 1");

        assertFound(table, "198.51.100.200", 1, 23);
        assertThat(table.ranges()).isEqualTo(4);
    }

    @Test
    void ignoresNetworkEqualToEnclosingNetwork() {
        RegionTable table = table("198.51.100.0/24 1", "198.51.100.64/26 1");

        assertFound(table, "198.51.100.64", 1, 24);
    }

    @Test
    void findsFirstAndLastAddress() {
        RegionTable table = table("0.0.0.0/32 1", "255.255.255.255/32 2", "::/128 3", "ffff::/16 4");

        assertFound(table, "0.0.0.0", 1, 32);
        assertFound(table, "0.0.0.1", DEFAULT, 32);
        assertFound(table, "255.255.255.255", 2, 32);
        assertFound(table, "255.255.255.254", DEFAULT, 32);
        assertFound(table, "::", 3, 128);
        assertFound(table, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 4, 16);
    }

    @Test
    void singleRegionHasPrefixLengthZero() {
        RegionTable table = table("0.0.0.0/0 1", "::/1 2", "8000::/1 2");

        assertFound(table, "203.0.113.5", 1, 0);
        assertFound(table, "2001:db8::", 2, 0);
    }

    @Test
    void mappedAddressIsLookedUpAsIpv4() {
        RegionTable table = table("203.0.113.0/24 1", "::/0 2");
        byte[] mapped = new byte[16];
        mapped[10] = mapped[11] = (byte) 0xFF;
        System.arraycopy(IpAddress.parse("203.0.113.9").bytes(), 0, mapped, 12, 4);

        int found = table.find(mapped);

        assertThat(RegionTable.region(found)).isEqualTo(1);
        assertThat(RegionTable.prefixLength(found)).isEqualTo(24);
        assertFound(table, "::203.0.113.9", 2, 0);
    }

    @Test
    void findsAddressAtOffset() {
        RegionTable table = table("203.0.113.0/24 1");

        assertThat(RegionTable.region(table.find(new byte[] {9, 9, (byte) 203, 0, 113, 1, 9}, 2, 4)))
                .isEqualTo(1);
    }

    @Test
    void rejectsInvalidAddressLength() {
        assertThatThrownBy(() -> table().find(new byte[5])).hasMessage("bytes: 5 (expected: 4 or 16)");
    }

    @ParameterizedTest
    @CsvSource({"2001:db8::/32, 2001:db8::", "2001:db8:0:1::/64, 2001:db8:0:1::9", "192.0.2.0/31, 192.0.2.1"})
    void findsManyRangesWithCommonPrefix(String first, String member) {
        Cidr network = Cidr.parse(first);
        List<RegionNetwork> networks = new ArrayList<>();
        networks.add(new RegionNetwork(network, 1));
        for (int length = network.length() + 1; length <= (network.network().isIpv4() ? 32 : 128); length++) {
            networks.add(new RegionNetwork(new Cidr(network.network(), length), length % 2 + 2));
        }

        RegionTable table = RegionTable.ofNetworks(networks, DEFAULT);

        NaiveRegions naive = new NaiveRegions(networks, DEFAULT);
        IpAddress address = IpAddress.parse(member);
        assertThat(RegionTable.region(table.find(address.bytes()))).isEqualTo(naive.region(address));
    }

    private static void assertFound(RegionTable table, String address, int region, int length) {
        int found = table.find(IpAddress.parse(address).bytes());
        assertThat(RegionTable.region(found)).as("region of %s", address).isEqualTo(region);
        assertThat(RegionTable.prefixLength(found)).as("prefix of %s", address).isEqualTo(length);
    }

    /** A table of networks written as {@code cidr region}. */
    private static RegionTable table(String... networks) {
        List<RegionNetwork> list = new ArrayList<>();
        for (String network : networks) {
            String[] parts = network.split(" ");
            list.add(new RegionNetwork(Cidr.parse(parts[0]), Integer.parseInt(parts[1])));
        }
        return RegionTable.ofNetworks(list, DEFAULT);
    }
}
