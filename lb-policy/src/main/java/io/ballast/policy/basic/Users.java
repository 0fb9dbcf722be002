package io.ballast.policy.basic;

import io.ballast.core.hash.SipHash24;
import io.ballast.policy.config.BasicConfig;
import io.ballast.policy.config.BasicUser;
import io.ballast.policy.config.HashedPassword;
import io.ballast.policy.identity.KnownIdentity;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The users of a policy. Immutable. */
final class Users {

    /** The hash that is verified for unknown users if no user is configured. */
    private static final HashedPassword NO_USERS = new HashedPassword("$2y$10$" + ".".repeat(53));

    private final Map<String, Candidate> byName = new HashMap<>();
    private final List<HashedPassword> decoys;
    private final SipHash24 hash;

    /**
     * The hash against which a password is verified.
     *
     * @param identity null for an unknown user, who is rejected regardless of the result of the verification
     */
    record Candidate(HashedPassword password, @Nullable KnownIdentity identity) {}

    /** @param hash a hash function with a random key */
    Users(BasicConfig config, SipHash24 hash) {
        for (BasicUser user : config.users()) {
            byName.put(user.name(), new Candidate(user.password(), new KnownIdentity(user.name(), config.header())));
        }
        this.decoys = config.users().isEmpty()
                ? List.of(NO_USERS)
                : config.users().stream()
                        .map(user -> user.password().withoutPassword())
                        .toList();
        this.hash = hash;
    }

    /**
     * Finds a user. For an unknown name, returns a hash that takes as long to verify as the hash of a user. So response
     * times do not reveal which names exist. The same name always gets the same hash.
     */
    Candidate find(String name) {
        Candidate known = byName.get(name);
        if (known != null) {
            return known;
        }
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        int index = Math.floorMod(hash.of(bytes, 0, bytes.length), decoys.size());
        return new Candidate(decoys.get(index), /* identity= */ null);
    }
}
