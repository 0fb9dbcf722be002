package io.ballast.agent.load;

import java.util.OptionalInt;

/**
 * The current load, in percent. A value that cannot be measured is absent and changes no weight.
 *
 * @param cpu the CPU use of the container or the machine
 * @param memory the memory use of the container or the machine
 * @param errors the share of failed checks of a backend
 */
public record LoadValues(OptionalInt cpu, OptionalInt memory, OptionalInt errors) {

    /** Returns these values with the share of failed checks of a backend. */
    public LoadValues withErrors(OptionalInt share) {
        return new LoadValues(cpu, memory, share);
    }
}
