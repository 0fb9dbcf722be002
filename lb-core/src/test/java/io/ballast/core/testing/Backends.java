package io.ballast.core.testing;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.backend.LoadCells;
import io.ballast.core.balance.Member;
import io.ballast.core.config.HostPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Creates backends that are up, with consecutive addresses from 10.0.0.1:8080, and pool members for them. No server
 * listens on these addresses.
 */
public final class Backends {

    private static final int UNLIMITED = 0;
    private static final int SHARDS = 1;
    private static final HealthStatus UP = new HealthStatus(
            BackendState.UP, Instant.EPOCH, HealthStatus.Origin.START, "fixture", HealthStatus.LastCheck.NONE);

    private Backends() {}

    /**
     * Returns backend number {@code id} at {@code 10.x.y.z:8080}; the lower address bytes hold the number plus
     * one.
     */
    public static Backend backend(int id) {
        return backend(id, UNLIMITED);
    }

    /** A backend that takes at most {@code maxInFlight} exchanges at once. */
    public static Backend backend(int id, int maxInFlight) {
        return backend(id, "pool", maxInFlight, UP, new LoadCells(/* backends= */ 1));
    }

    /** A backend that was not checked yet. */
    public static Backend unchecked(int id, String pool) {
        return backend(id, pool, UNLIMITED, HealthStatus.unknown(Instant.EPOCH), new LoadCells(/* backends= */ 1));
    }

    private static Backend backend(int id, String pool, int maxInFlight, HealthStatus health, LoadCells load) {
        InetSocketAddress address = address(id);
        return new Backend(
                id,
                pool,
                new HostPort(address.getAddress().getHostAddress(), address.getPort()),
                address,
                maxInFlight,
                SHARDS,
                health,
                load);
    }

    /** Returns this many members of weight 1. */
    public static List<Member> members(int count) {
        return members(count, UNLIMITED, id -> 1, id -> 0);
    }

    /** One member for each weight. */
    public static List<Member> weighted(int... weights) {
        return members(weights.length, UNLIMITED, id -> weights[id], id -> 0);
    }

    /** One member of weight 1 for each priority. */
    public static List<Member> tiered(int... priorities) {
        return members(priorities.length, UNLIMITED, id -> 1, id -> priorities[id]);
    }

    /** Returns this many members of weight 1 that accept at most {@code maxInFlight} exchanges each. */
    public static List<Member> limited(int count, int maxInFlight) {
        return members(count, maxInFlight, id -> 1, id -> 0);
    }

    /** Members whose loads share memory, as in a topology. */
    private static List<Member> members(
            int count, int maxInFlight, IntUnaryOperator weights, IntUnaryOperator priorities) {
        LoadCells load = new LoadCells(count);
        return IntStream.range(0, count)
                .mapToObj(id -> new Member(
                        backend(id, "pool", maxInFlight, UP, load), weights.applyAsInt(id), priorities.applyAsInt(id)))
                .toList();
    }

    /** Begins this many additional exchanges on a backend. */
    public static void load(Backend backend, int exchanges) {
        for (int i = 0; i < exchanges; i++) {
            backend.inFlight().begin();
        }
    }

    private static InetSocketAddress address(int id) {
        int host = id + 1;
        byte[] bytes = {10, (byte) (host >>> 16), (byte) (host >>> 8), (byte) host};
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), 8080);
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // four bytes are always an address
        }
    }
}
