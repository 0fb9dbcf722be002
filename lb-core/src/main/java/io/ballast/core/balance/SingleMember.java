package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The picker for one member, whatever the strategy: that one while it is open, else nothing. */
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
