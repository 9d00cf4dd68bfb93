"""Small documents, each about one thing: accepted ones become packages that work, refused ones say why."""
