package io.ballast.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CidrSetTest {

    @Test
    void matchesExactlyTheNetworkRange() {
        CidrSet set = set("10.0.0.0/8", "192.0.2.1", "2001:db8::/32");

        assertThat(set.contains(bytes("10.0.0.0"))).isTrue();
        assertThat(set.contains(bytes("10.255.255.255"))).isTrue();
        assertThat(set.contains(bytes("9.255.255.255"))).isFalse();
        assertThat(set.contains(bytes("11.0.0.0"))).isFalse();
        assertThat(set.contains(bytes("192.0.2.1"))).isTrue();
        assertThat(set.contains(bytes("192.0.2.2"))).isFalse();
        assertThat(set.contains(bytes("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff")))
                .isTrue();
        assertThat(set.contains(bytes("2001:db9::"))).isFalse();
    }

    @Test
    void mappedAddressMatchesIpv4Only() {
        byte[] mapped = new byte[16];
        mapped[10] = mapped[11] = (byte) 0xFF;
        mapped[12] = 10;

        assertThat(set("10.0.0.0/8").contains(mapped)).isTrue();
        assertThat(set("::ffff:10.0.0.0/104").contains(bytes("10.0.0.0"))).isTrue();
        assertThat(set("::/0").contains(mapped)).isFalse();
        assertThat(set("::/0").contains(bytes("10.0.0.0"))).isFalse();
        assertThat(set("0.0.0.0/0").contains(bytes("::1"))).isFalse();
        assertThat(set("0.0.0.0/0").contains(bytes("::10.0.0.0"))).isFalse(); // IPv4-compatible, not IPv4-mapped
    }

    @Test
    void emptySetMatchesNothing() {
        assertThat(CidrSet.EMPTY.isEmpty()).isTrue();
        assertThat(CidrSet.EMPTY.contains(bytes("0.0.0.0"))).isFalse();
        assertThat(set("::/0").isEmpty()).isFalse();
        assertThat(set("0.0.0.0/0").isEmpty()).isFalse();
    }

    @Test
    void rejectsInvalidAddressLength() {
        assertThatThrownBy(() -> CidrSet.EMPTY.contains(new byte[6])).hasMessage("bytes: 6 (expected: 4 or 16)");
    }

    /**
     * Uses few distinct bits, so that many networks are nested, equal or adjacent, and many addresses are at the ends
     * of networks.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void matchesLinearSearch(long seed) throws UnknownHostException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 60; round++) {
            List<Cidr> networks = new ArrayList<>();
            for (int i = random.nextInt(30); i > 0; i--) {
                networks.add(network(random));
            }
            CidrSet set = CidrSet.of(networks);
            for (int i = 0; i < 200; i++) {
                byte[] address = address(random, random.nextBoolean() ? 4 : 16);

                boolean expected = networks.stream().anyMatch(network -> holds(network, address));

                assertThat(set.contains(address))
                        .as("%s in %s", IpAddress.of(address), networks)
                        .isEqualTo(expected);
                assertThat(set.contains(InetAddress.getByAddress(address))).isEqualTo(expected);
                assertThat(set.contains(IpAddress.of(address))).isEqualTo(expected);
            }
        }
    }

    /** Uses a million networks, so that the index has several levels, and checks the memory of the set. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void holdsOneMillionNetworks(boolean ipv4) {
        SplittableRandom random = new SplittableRandom(11);
        List<Cidr> networks = new ArrayList<>();
        Set<Long> members = new HashSet<>();
        while (networks.size() < 1_000_000) {
            long bits = random.nextLong() & (ipv4 ? 0x3FFF_FFFFL : 0xFFF_FFFF_FFFFL);
            if (members.add(bits)) {
                networks.add(new Cidr(member(bits, ipv4), ipv4 ? 32 : 128));
            }
        }
        CidrSet set = CidrSet.of(networks);

        assertThat(set.size()).isEqualTo(1_000_000);
        assertThat(set.retainedBytes()).isLessThan(40 << 20);
        networks.forEach(network -> {
            IpAddress member = network.network();
            IpAddress next = new IpAddress(member.high(), member.low() + 1);
            assertThat(set.contains(member)).isTrue();
            assertThat(set.contains(next)).isEqualTo(members.contains(bits(next, ipv4)));
        });
    }

    private static IpAddress member(long bits, boolean ipv4) {
        return ipv4 ? IpAddress.ofIpv4((int) bits) : new IpAddress(0x20010db8L << 32 | bits >>> 24, bits << 40 | 1);
    }

    /** Returns the bits that distinguish this address from other members; -1 if the address cannot be a member. */
    private static long bits(IpAddress address, boolean ipv4) {
        if (ipv4) {
            return address.low() & 0xFFFF_FFFFL;
        }
        boolean canBe = (address.low() & 0xFF_FFFF_FFFFL) == 1;
        return canBe ? (address.high() << 24 & 0xFFF_FFFF_FFFFL) | address.low() >>> 40 : -1;
    }

    @Test
    void equalNetworksAreEqualSets() {
        assertThat(set("10.0.0.0/8", "2001:db8::1", "10.1.0.0/16"))
                .isEqualTo(set("2001:db8::1", "10.0.0.0/8"))
                .hasSameHashCodeAs(set("2001:db8::1", "10.0.0.0/8"))
                .isNotEqualTo(set("10.0.0.0/9", "2001:db8::1"))
                .isNotEqualTo(set("10.0.0.0/8", "2001:db8::2"))
                .hasToString("2 networks");
    }

    private static Cidr network(SplittableRandom random) {
        byte[] bytes = address(random, random.nextBoolean() ? 4 : 16);
        IpAddress address = IpAddress.of(bytes);
        int bits = address.isIpv4() ? 32 : 128;
        int length = random.nextInt(3) == 0 ? bits : random.nextInt(bits + 1);
        BigInteger first = number(address).shiftRight(bits - length).shiftLeft(bits - length);
        IpAddress network = address.isIpv4()
                ? IpAddress.ofIpv4(first.intValue())
                : new IpAddress(first.shiftRight(64).longValue(), first.longValue());
        // Clearing bits of an IPv6 address creates an IPv4-mapped address only if the address already was one.
        return new Cidr(network, length);
    }

    private static byte[] address(SplittableRandom random, int size) {
        byte[] bytes = new byte[size];
        byte[] few = {0, 1, (byte) 0x80, (byte) 0xFF};
        for (int i = 0; i < size; i++) {
            bytes[i] = i < size - 3 && random.nextInt(6) > 0 ? 0 : few[random.nextInt(few.length)];
        }
        if (size == 16 && random.nextInt(4) == 0) {
            Arrays.fill(bytes, 0, 10, (byte) 0);
            bytes[10] = bytes[11] = (byte) 0xFF;
        }
        return bytes;
    }

    private static boolean holds(Cidr network, byte[] bytes) {
        IpAddress address = IpAddress.of(bytes);
        if (address.isIpv4() != network.network().isIpv4()) {
            return false;
        }
        int free = (address.isIpv4() ? 32 : 128) - network.length();
        return number(address).shiftRight(free).equals(number(network.network()).shiftRight(free));
    }

    private static BigInteger number(IpAddress address) {
        if (address.isIpv4()) {
            return BigInteger.valueOf(address.low() & 0xFFFF_FFFFL);
        }
        return new BigInteger(Long.toHexString(address.high()), 16)
                .shiftLeft(64)
                .add(new BigInteger(Long.toHexString(address.low()), 16));
    }

    private static CidrSet set(String... networks) {
        return CidrSet.of(List.of(networks).stream().map(Cidr::parse).toList());
    }

    private static byte[] bytes(String text) {
        return AddressText.parse(text);
    }
}
