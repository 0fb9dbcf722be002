package io.ballast.server.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A call of a method of {@code io.ballast}, with the calls that it made, including calls through libraries. */
final class TracedCall {

    /**
     * The maximum size of an accessor in bytes of code. Such a method reads or writes a field, or compares it with a
     * constant.
     */
    private static final int MAX_ACCESSOR_BYTES = 16;

    private final String type;
    private final boolean inEnum;
    private final int codeBytes;
    private final List<TracedCall> calls = new ArrayList<>();

    /**
     * @param type the full name of the class of the method, which may be a nested class or that of a lambda
     * @param codeBytes the size of the method
     */
    TracedCall(String type, boolean inEnum, int codeBytes) {
        int nested = type.indexOf('$');
        this.type = nested < 0 ? type : type.substring(0, nested);
        this.inEnum = inEnum;
        this.codeBytes = codeBytes;
    }

    void add(TracedCall call) {
        calls.add(call);
    }

    /** The full name of the top-level class of the method. */
    String type() {
        return type;
    }

    boolean inEnum() {
        return inEnum;
    }

    /** Passes this call and all calls below it to {@code consumer}. */
    void forEach(Consumer<TracedCall> consumer) {
        consumer.accept(this);
        calls.forEach(call -> call.forEach(consumer));
    }

    /** Whether the method called a method of another class, other than an accessor. */
    boolean leadsOn() {
        return calls.stream().anyMatch(call -> call.isStepFrom(type) || (call.type.equals(type) && call.leadsOn()));
    }

    private boolean isStepFrom(String caller) {
        return !type.equals(caller) && (codeBytes > MAX_ACCESSOR_BYTES || leadsOn());
    }
}
