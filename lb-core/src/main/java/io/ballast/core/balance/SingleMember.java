package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The picker for a single member, used by all strategies: returns the member while it is available, else
 * null.
 */
record SingleMember(Backend backend) implements Picker {

    /** Returns the picker for a list of at most one member. */
    static Picker orNone(List<Member> members) {
        return members.isEmpty() ? Picker.NONE : new SingleMember(members.get(0).backend());
    }

    @Override
    public @Nullable Backend pick(PickContext context) {
        return backend.inFlight().isFull() || context.isExcluded(backend) ? null : backend;
    }
}
