package io.ballast.dns.forward.question;

import io.ballast.dns.wire.QueryName;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A question to a resolver. It contains all properties of a query that can change the answer, and no other data about
 * the client. Queries with equal questions share one pending query and one cached answer.
 *
 * <p>Thread safety: immutable. Callers must not modify {@link #name}.
 */
public final class Question {

    /** A flag: the client requests signatures (DO bit). */
    public static final int DNSSEC_OK = 1;

    /** Flag: the client validates signatures itself (CD bit). */
    public static final int CHECKING_DISABLED = 2;

    /** Flag: the answer is validated before it is sent to the client. */
    public static final int VALIDATED = 8;

    /** Flag: the question bypasses the cache. It may only be used with settings that have no cache. */
    public static final int UNCACHED = 16;

    /** Flag: the query contains a client subnet, or opts out of its use. Answers are cached by network. */
    public static final int BY_SUBNET = 32;

    /** The multiplier of FNV-1a. */
    private static final long OPTIONS_PRIME = 0x100000001b3L;

    private final byte[] name;
    private final long hash;
    private final int type;
    private final int flags;
    private final int group;
    private final @Nullable ClientSubnet subnet;
    private final byte @Nullable [] options;

    /**
     * @param name name in lower case and wire format; not copied
     * @param hash hash of the name with a key that is unknown to clients
     * @param type type of the records; the class is IN
     * @param flags combination of the flags of this class
     * @param group group of upstreams; its answers are cached separately
     */
    public Question(byte[] name, long hash, int type, int flags, int group) {
        this(name, hash, type, flags, group, /* subnet= */ null, /* options= */ null);
    }

    private Question(
            byte[] name,
            long hash,
            int type,
            int flags,
            int group,
            @Nullable ClientSubnet subnet,
            byte @Nullable [] options) {
        this.name = name;
        this.hash = hash;
        this.type = type;
        this.flags = flags;
        this.group = group;
        this.subnet = subnet;
        this.options = options;
    }

    /** Creates the question of a query whose name has been hashed. */
    public static Question of(QueryName name, int type, int flags, int group) {
        byte[] bytes = new byte[name.length()];
        name.copy(bytes.length, bytes);
        return new Question(bytes, name.hash(0), type, flags, group);
    }

    /** Returns the question with a client subnet. */
    public Question withSubnet(ClientSubnet newSubnet) {
        return new Question(name, hash, type, flags | BY_SUBNET, group, newSubnet, options);
    }

    /**
     * Returns the question with EDNS options of the client, which may change the answer.
     *
     * @param clientOptions the options in wire format; not copied
     */
    public Question withOptions(byte[] clientOptions) {
        return new Question(name, hash, type, flags | UNCACHED, group, subnet, clientOptions);
    }

    /** Returns the question without EDNS options of the client. */
    public Question withoutOptions() {
        return new Question(name, hash, type, flags, group, subnet, /* options= */ null);
    }

    /** Returns the question without client subnet and options of the client, which is the cache key. */
    public Question withoutSubnet() {
        return subnet == null ? this : new Question(name, hash, type, flags, group);
    }

    public byte[] name() {
        return name;
    }

    public long hash() {
        return hash;
    }

    public int type() {
        return type;
    }

    public int flags() {
        return flags;
    }

    public boolean isDnssecOk() {
        return (flags & DNSSEC_OK) != 0;
    }

    public boolean isCheckingDisabled() {
        return (flags & CHECKING_DISABLED) != 0;
    }

    public boolean isValidated() {
        return (flags & VALIDATED) != 0;
    }

    public int group() {
        return group;
    }

    /** Returns the client subnet; null if no client subnet is sent to the upstream group. */
    public @Nullable ClientSubnet subnet() {
        return subnet;
    }

    /**
     * Returns the client's EDNS options that are forwarded, in wire format; null for none. Callers must not modify
     * them.
     */
    public byte @Nullable [] options() {
        return options;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Question that
                && hash == that.hash
                && type == that.type
                && flags == that.flags
                && group == that.group
                && Arrays.equals(name, that.name)
                && Objects.equals(subnet, that.subnet)
                && Arrays.equals(options, that.options);
    }

    /** The hash code does not depend on the client subnet, so that all queries for a name use one event loop. */
    @Override
    public int hashCode() {
        long mixed = hash;
        if (options != null) {
            for (byte each : options) {
                mixed = (mixed ^ each) * OPTIONS_PRIME;
            }
        }
        return mixHash(mixed, type, flags, group);
    }

    /** Returns the hash code of a question from the hash of its name, its type, its flags and its group. */
    public static int mixHash(long hash, int type, int flags, int group) {
        long mixed = hash + 0x9E3779B97F4A7C15L * ((long) group << 24 | (long) flags << 16 | type);
        return (int) (mixed ^ mixed >>> 32);
    }
}
