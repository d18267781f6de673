package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.operator.Grant;
import java.util.Collection;
import java.util.List;

/**
 * A service account that writes for the operator or for one of its controllers.
 *
 * @param name the name, {@code ""} for the account of the operator
 * @param namespace the namespace, {@code ""} for that of the operator
 */
record Account(String name, String namespace) {

    static final Account OPERATOR = new Account("", "");

    /** Returns the accounts that need the rights, that of the operator first. */
    static List<Account> of(Collection<Grant> grants) {
        return grants.stream().map(Account::of).distinct().toList();
    }

    static Account of(Grant grant) {
        return named(grant.account());
    }

    /** Returns the account that a grant or a permission names. */
    static Account named(String account) {
        int slash = account.indexOf('/');
        return slash < 0
                ? new Account(account, "")
                : new Account(account.substring(slash + 1), account.substring(0, slash));
    }

    boolean isOperator() {
        return name.isEmpty();
    }

    /** Returns the end of the names of its roles. */
    String suffix() {
        return isOperator() ? "" : (namespace.isEmpty() ? "-" : "-" + namespace + "-") + name;
    }
}
