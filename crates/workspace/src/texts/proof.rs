//! Confirming the identity before a critical action.

use super::texts;

texts! {
    TITLE = "Confirm that it is you", "Bitte bestätigen, dass Sie es sind";
    INTRO = "This needs your password again. What you entered is kept.", "Dafür wird Ihr Passwort noch einmal gebraucht. Ihre Eingaben bleiben erhalten.";
    INTRO_CODE = "This needs your password and a code again. What you entered is kept.", "Dafür werden Ihr Passwort und ein Code noch einmal gebraucht. Ihre Eingaben bleiben erhalten.";
    SUBMIT = "Continue", "Weiter";
}
