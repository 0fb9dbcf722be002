package io.ballast.server.process;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/**
 * Handles operating system signals. The JDK's mechanism, {@code sun.misc.Signal}, is supported but not
 * available at compile time, so it is called by reflection. A shutdown hook alone could neither choose the
 * exit code nor see a second signal.
 */
final class Signals {

    private Signals() {}

    /** Registers an action for a signal; it is called with the signal's name on a separate thread. */
    public static void handle(String signal, Consumer<String> action) {
        try {
            Class<?> signalType = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            InvocationHandler invocation = (proxy, method, arguments) -> switch (method.getName()) {
                case "handle" -> {
                    action.accept(signal);
                    yield null;
                }
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> proxy == arguments[0];
                default -> "handler of " + signal;
            };
            Object handler =
                    Proxy.newProxyInstance(handlerType.getClassLoader(), new Class<?>[] {handlerType}, invocation);
            signalType
                    .getMethod("handle", signalType, handlerType)
                    .invoke(null, signalType.getConstructor(String.class).newInstance(signal), handler);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot handle SIG" + signal, e);
        }
    }
}
