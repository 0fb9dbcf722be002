package io.ballast.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.serving.ExchangeRecorder;
import org.junit.jupiter.api.Test;

/**
 * Restricts references to an {@link Exchange}. One object serves many requests of a client, so a late callback that
 * refers to the object may affect a later request.
 */
class ExchangeReferencesTest {

    private static final DescribedPredicate<JavaField> INVOLVE_AN_EXCHANGE =
            new DescribedPredicate<>("have a type that involves Exchange") {
                @Override
                public boolean test(JavaField field) {
                    return field.getType().getAllInvolvedRawTypes().stream()
                            .anyMatch(type -> type.isEquivalentTo(Exchange.class));
                }
            };

    private static final DescribedPredicate<JavaClass> OWN_OR_SERVE_IT =
            new DescribedPredicate<>(
                    "own the exchange (client side), are bound to it as its connection, or check its attempt (AttemptTicket)") {
                @Override
                public boolean test(JavaClass type) {
                    return type.isAssignableTo(BackendSide.class)
                            || type.isEquivalentTo(AttemptTicket.class)
                            || type.getName().startsWith(Exchange.class.getName())
                            || type.isEquivalentTo(ExchangeRecorder.class)
                            || type.getPackageName().startsWith("io.ballast.http.background.exchange")
                            || type.getPackageName().startsWith("io.ballast.http.h1.client")
                            || type.getPackageName().startsWith("io.ballast.http.multiplex");
                }
            };

    @Test
    void onlyOwnersConnectionsAndTicketsReferToExchange() {
        fields().that(INVOLVE_AN_EXCHANGE)
                .should()
                .beDeclaredInClassesThat(OWN_OR_SERVE_IT)
                .because("code that waits for an exchange holds an AttemptTicket, which knows when its attempt is over")
                .check(Classes.OF_ALL_MODULES);
    }
}
