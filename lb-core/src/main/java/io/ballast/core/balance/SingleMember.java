package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A picker for one member for all strategies: returns it while it is available, otherwise nothing. */
record SingleMember(Backend backend) implements Picker {

    /** The picker for at most one member. */
    static Picker orNone(List<Member> members) {
        return members.isEmpty() ? Picker.NONE : new SingleMember(members.get(0).backend());
    }

    @Override
    public @Nullable Backend pick(PickContext context) {
        return backend.inFlight().isFull() || context.isExcluded(backend) ? null : backend;
    }
}
